// JSON Merge Patch (RFC 7386): the server sends what an event changes in the game, and this merges it into
// the last game without knowing what a game is.

/** The target after a patch: objects are merged by key, null removes a key, anything else replaces. */
export function merge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = merge(merged[key], value)
  }
  return merged
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
