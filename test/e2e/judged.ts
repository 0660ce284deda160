// A setup file is run for each test file of a process, what it imports once: answers are judged once.
import '../openapi/documented-fetch.ts'
