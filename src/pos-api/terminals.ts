import { reply } from '../platform/http/operations.ts'
import { terminalsOf } from '../registry/terminals.ts'
import type { PosHandler } from './handler.ts'

export const listTerminals: PosHandler<'listTerminals'> = async (_asked, profile) => {
  const terminals = terminalsOf(profile).map(({ id, name, isDefault = false }) => ({
    id,
    name,
    isDefault,
    isOn: null,
    busyWith: null,
  }))
  return reply({ terminals })
}
