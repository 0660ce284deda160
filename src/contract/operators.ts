import * as v from 'valibot'
import { sentEnd } from './key-limits.ts'
import { type Operations, CHANGE, done, LOOK, made, Role } from './operation.ts'
import { members } from './body-members.ts'
import { storedName, withoutBlanks, withoutStacks } from './values.ts'

/** Scripts whose letters look alike. */
const ALIKE = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]

/**
 * The audit log names people, so a token's name must not look like another person's. Nor may it look
 * like a name that Cloudflare Access gives: an email address, or a service token's id. Release 1.1 took all such names.
 */
export const storedTokenName = v.pipe(
  storedName,
  v.check((name) => name.toUpperCase() !== 'OPERATOR_TOKEN', 'is the name of the secret'),
  v.check((name) => name === name.normalize('NFKC'), 'must be in plain letters'),
  v.check(
    (name) => ALIKE.filter((script) => script.test(name)).length < 2,
    'must not mix letters of several scripts',
  ),
  v.check(
    (name) => !name.includes('@') && !name.toLowerCase().endsWith('.access'),
    'must not be a name that Cloudflare Access gives: an email address, or an id that ends in .access',
  ),
)

export const NewOperatorToken = members({
  name: v.pipe(storedTokenName, withoutBlanks, withoutStacks, v.description('Who or what uses it.')),
  role: v.pipe(
    v.picklist(Role.options, 'must be viewer, support or operator'),
    v.description(
      'What it may do: `viewer` looks, `support` also asks PSPs and sends reports again, `operator` does all.',
    ),
  ),
  expires: v.exactOptional(sentEnd),
})

/** The answer of `GET /me`. `until` is when the token, the session or the proof of Access ends; null for never. */
export const Me = v.object({
  name: v.string(),
  role: Role,
  via: v.picklist(['secret', 'token', 'session', 'access']),
  until: v.nullable(v.string()),
})
export type Me = v.InferOutput<typeof Me>

/** A named token. `revoked` is when an operator revoked it, or null. */
export const OperatorToken = v.object({
  id: v.string(),
  name: v.string(),
  role: Role,
  created: v.string(),
  createdBy: v.string(),
  revoked: v.nullable(v.string()),
  /** When it ends, or ended; null for never. */
  expires: v.nullable(v.string()),
  /** The day of its last use. */
  used: v.nullable(v.string()),
})
export type OperatorToken = v.InferOutput<typeof OperatorToken>

export const OperatorTokenList = v.object({ tokens: v.array(OperatorToken) })

export const OperatorTokenCreated = v.object({ ...OperatorToken.entries, token: v.string() })

/** The answer of `POST /sessions`: the session that the console keeps in its cookie, and when it ends. */
export const SessionBegun = v.object({ session: v.string(), until: v.string() })

/** A session of the console that goes on. `name`: of the token that began it. `own`: it is yours. */
export const Session = v.object({
  id: v.string(),
  name: v.string(),
  began: v.string(),
  until: v.string(),
  own: v.boolean(),
})

export const SessionList = v.object({ sessions: v.array(Session) })

export const SessionEnded = v.object({ ended: v.boolean() })

export const OPERATOR_ACCESS_OPERATIONS = {
  showMe: {
    ...LOOK,
    path: '/operator/v1/me',
    summary: 'See who you are and what you may do',
    answer: done(Me),
  },
  listOperatorTokens: {
    ...LOOK,
    path: '/operator/v1/tokens',
    role: 'operator',
    summary: 'List the operator tokens, oldest first',
    answer: done(OperatorTokenList),
  },
  createOperatorToken: {
    ...CHANGE,
    path: '/operator/v1/tokens',
    audit: { action: 'token.create', keeps: ['name', 'role', 'expires'] },
    summary: 'Make an operator token',
    description: 'The hub shows the token only once.',
    body: NewOperatorToken,
    answer: made(OperatorTokenCreated, 'The token is made.'),
    problems: ['operator-token-conflict'],
  },
  revokeOperatorToken: {
    ...CHANGE,
    path: '/operator/v1/tokens/:id/revoke',
    isFinal: true,
    audit: { action: 'token.revoke' },
    summary: 'Revoke an operator token',
    description: 'It stops working at once, and so do the sessions that it began.',
    answer: done(OperatorToken, 'The token has ended.'),
    problems: ['operator-token-not-found'],
  },
  beginSession: {
    ...CHANGE,
    path: '/operator/v1/sessions',
    role: 'viewer',
    audit: { action: 'session.begin' },
    summary: 'Begin a session of the console',
    description: 'Only with a token. A session ends after eight hours.',
    answer: { ...made(SessionBegun, 'The session has begun.'), headers: ['Set-Cookie'] },
  },
  endSession: {
    ...CHANGE,
    path: '/operator/v1/sessions/end',
    role: 'viewer',
    audit: { action: 'session.end' },
    summary: 'End your session of the console',
    answer: { ...done(SessionEnded, 'You have signed out.'), headers: ['Set-Cookie'] },
  },
  listSessions: {
    ...LOOK,
    path: '/operator/v1/sessions',
    role: 'operator',
    summary: 'List the sessions of the console that go on, oldest first',
    answer: done(SessionList),
  },
  endOneSession: {
    ...CHANGE,
    path: '/operator/v1/sessions/:id/end',
    isFinal: true,
    audit: { action: 'session.revoke' },
    summary: 'End a session of the console',
    description: 'Whoever uses it has to sign in again. To keep them out, revoke their token.',
    answer: done(Session, 'The session has ended.'),
    problems: ['session-not-found'],
  },
} as const satisfies Operations
