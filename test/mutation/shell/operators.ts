import { ts } from '@ts-morph/common'

const { SyntaxKind: Kind } = ts

const OPPOSITE = new Map<ts.SyntaxKind, string>([
  [Kind.LessThanToken, '<='],
  [Kind.LessThanEqualsToken, '<'],
  [Kind.GreaterThanToken, '>='],
  [Kind.GreaterThanEqualsToken, '>'],
  [Kind.EqualsEqualsEqualsToken, '!=='],
  [Kind.ExclamationEqualsEqualsToken, '==='],
  [Kind.PlusToken, '-'],
  [Kind.MinusToken, '+'],
  [Kind.AsteriskToken, '/'],
  [Kind.SlashToken, '*'],
  [Kind.AmpersandAmpersandToken, '||'],
  [Kind.BarBarToken, '&&'],
])

function isText(node: ts.Node): boolean {
  return ts.isStringLiteral(node) || ts.isTemplateExpression(node)
}

function ofBinary(node: ts.BinaryExpression): string[] {
  const [left, right] = [node.left.getText(), node.right.getText()]
  const kind = node.operatorToken.kind
  if (kind === Kind.QuestionQuestionToken) return [left, right]
  // A text that is put together is not a sum.
  if (kind === Kind.PlusToken && (isText(node.left) || isText(node.right))) return []
  const opposite = OPPOSITE.get(kind)
  return opposite === undefined ? [] : [`(${left}) ${opposite} (${right})`]
}

function isCondition(node: ts.Node): boolean {
  return (
    (ts.isIfStatement(node.parent) && node.parent.expression === node) ||
    (ts.isConditionalExpression(node.parent) && node.parent.condition === node)
  )
}

/** A loop that never ends says nothing about tests; one that never starts does. */
function isLoopCondition(node: ts.Node): boolean {
  return (
    (ts.isWhileStatement(node.parent) && node.parent.expression === node) ||
    (ts.isForStatement(node.parent) && node.parent.condition === node)
  )
}

/** The words of an error that is thrown are for people: no test should hold them. */
function isWordsOfError(node: ts.Node): boolean {
  return ts.isNewExpression(node.parent) && node.parent.expression.getText().endsWith('Error')
}

function isValue(node: ts.Node): boolean {
  return (
    (ts.isCallExpression(node.parent) && node.parent.arguments.includes(node as ts.Expression)) ||
    (ts.isPropertyAssignment(node.parent) && node.parent.initializer === node) ||
    (ts.isBinaryExpression(node.parent) && !isAssignedTo(node)) ||
    ts.isArrayLiteralExpression(node.parent) ||
    ts.isConditionalExpression(node.parent) ||
    ts.isVariableDeclaration(node.parent) ||
    isReturned(node)
  )
}

function isAssignedTo(node: ts.Node): boolean {
  return (
    ts.isBinaryExpression(node.parent) &&
    node.parent.left === node &&
    node.parent.operatorToken.kind === Kind.EqualsToken
  )
}

function isReturned(node: ts.Node): boolean {
  return (
    (ts.isReturnStatement(node.parent) && node.parent.expression === node) ||
    (ts.isArrowFunction(node.parent) && node.parent.body === node && !ts.isBlock(node))
  )
}

function isNothing(node: ts.Node): boolean {
  return /^(null|undefined|void 0)$/.test(node.getText())
}

function ofStatement(node: ts.ExpressionStatement): string[] {
  const inner = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression
  const acts =
    ts.isBinaryExpression(inner) ||
    ts.isDeleteExpression(inner) ||
    (ts.isCallExpression(inner) && inner.expression.kind !== Kind.SuperKeyword)
  return acts ? ['void 0'] : []
}

/** What an expression gives, where it is not already nothing, a truth or a text: those have changes of their own. */
function isResult(node: ts.Node): boolean {
  return isReturned(node) && !isNothing(node) && !ts.isLiteralExpression(node) && !isTruth(node)
}

function isTruth(node: ts.Node): boolean {
  return node.kind === Kind.TrueKeyword || node.kind === Kind.FalseKeyword
}

/** The texts that may stand in place of a node, each a mutant: usual mistakes, one at a time. */
export function replacementsOf(node: ts.Node): string[] {
  if (ts.isExpressionStatement(node)) return ofStatement(node)
  if (ts.isThrowStatement(node)) return ['']
  if (!ts.isExpression(node)) return []
  const found: string[] = []
  if (isCondition(node)) found.push('true', 'false')
  else if (isLoopCondition(node)) found.push('false')
  if (isResult(node)) found.push('null')
  if (ts.isBinaryExpression(node)) found.push(...ofBinary(node))
  else if (ts.isPrefixUnaryExpression(node) && node.operator === Kind.ExclamationToken) {
    if (!isCondition(node)) found.push(node.operand.getText())
  } else if (isTruth(node) && isValue(node)) found.push(node.kind === Kind.TrueKeyword ? 'false' : 'true')
  else if (isText(node) && isValue(node) && !isWordsOfError(node))
    found.push(ts.isStringLiteral(node) && node.text === '' ? "'other'" : "''")
  else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && isValue(node)) found.push('[]')
  return found
}
