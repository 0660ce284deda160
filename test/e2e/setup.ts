import { Agent, setGlobalDispatcher } from 'undici'
// Runs once in each process, because files share the modules that a setup file imports.
import '../openapi/documented-fetch.ts'

/*
 * A socket that nobody uses is closed by the runtime after 5 s, and by Node after 4 s, of which it is sure within a second only. A
 * request that is sent just then is lost. A setup file of tests that talk to running hubs.
 */
setGlobalDispatcher(new Agent({ keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 }))
