/** Made from the OpenAPI document: the table of its operations, and a validator for each schema. */
declare module 'virtual:openapi' {
  type Validators = Readonly<Record<string, { (body: unknown): boolean; errors?: readonly object[] | null }>>
  export const TABLE: import('./answer-table.ts').AnswerTable
  export const ANSWERS: Validators
  export const REQUESTS: Validators
}
