import type { Key } from './en.ts'
import { en } from './en.ts'
export const pt: Record<Key, string> = en
