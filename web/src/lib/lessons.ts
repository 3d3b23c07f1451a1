// The lessons: start positions in the notation and the moves that each lesson allows. A host plays
// them like any other game.

import type { Key } from '../text/en.ts'
import { load, save } from './storage.ts'

export interface Lesson {
  /** The middle part of its text keys: `learn.NAME.title`. */
  name: string
  position: string
  /** The moves that the lesson allows. */
  moves: RegExp
  /** The number of moves that complete it, if not 1. */
  length?: number
}

const EMPTY = '0~.-..-...-....-.....~.....-.....-.....-.....-.....~.'

export const LESSONS: Lesson[] = [
  { name: 'take', position: `az1_2c_d1_1s1_BBYR-YYKW-RRKW-BKWW-YRKK_1_rest_._${EMPTY}_${EMPTY}`, moves: /^1B2$/ },
  {
    name: 'lines',
    position: 'az1_2c_d1_2s1_YYKW-.-BBRW-.-._1RK_rest_._3~.-..-K..-....-B....~.Y...-.....-.....-.....-.....~._4~.-..-...-....-.....~B....-W....-.....-.....-.....~.',
    moves: /^1Y[1-5]$/,
  },
  {
    name: 'overflow',
    position: `az1_2c_d1_1s1_RRRW-YYKW-.-BKWW-._1KKY_rest_._0~.-R.-...-....-.....~.....-.....-.....-.....-.....~._${EMPTY}`,
    moves: /^1R2$/,
  },
  { name: 'center', position: `az1_2c_d1_1s1_.-YYKW-.-BKWW-._1RRKY_rest_._${EMPTY}_${EMPTY}`, moves: /^0R[2-5]$/ },
  {
    name: 'tiling',
    position: 'az1_2c_d1_2s1_.-.-.-.-._K_rest_._6~.-WW-BBB-....-.....~BYR..-.....-....R-.....-.....~1_7~B-..-...-....-.....~.....-W....-.....-.....-.....~.',
    moves: /^0K1$/,
  },
  {
    name: 'floor',
    position: 'az1_2c_d1_3s2_.-.-.-.-._RR_rest_._12~R-K.-K..-BB..-YY...~BY...-W....-...Y.-.....-.....~1K_14~.-YY-...-....-.....~B....-W....-K....-.....-.....~.',
    moves: /^0RF$/,
  },
  {
    name: 'refill',
    position: 'az1_2c_d1_4s2_.-.-.-.-._W_B3Y3R2K2W2_rest_19~.-..-...-....-.....~BYRK.-W....-K....-.....-.....~._17~R-..-...-....-.....~B....-W....-.....-.....-.....~1',
    moves: /^0W3$/,
  },
  {
    name: 'end',
    position: 'az1_2c_d1_5s1_.-.-.-.-._W_rest_._28~.-..-RR.-....-.....~BYRK.-WB..K-K....-R....-Y....~1_25~.-..-...-....-.....~BY...-W....-K....-.....-.....~.',
    moves: /^0W1$/,
  },
  {
    name: 'grey',
    position: 'az1_2g_d1_2s1_.-.-.-.-._W_rest_._5~.-..-...-....-.....~B....-.....-.....-.....-.....~1_7~.-..-...-....-.....~B....-W....-.....-.....-.....~.',
    moves: /^(0W1|r1c\d)$/,
    length: 2,
  },
  { name: 'jokers', position: `az1_2cj_d1_1s1_BBRJ-YYKW-RRKW-BKWW-YRKK_1_rest_._${EMPTY}_${EMPTY}`, moves: /^1JB3$/ },
]

/** The number of lessons about the basic game; the others teach variants. */
export const N_BASIC = 8

export const lessonKey = (lesson: Lesson, part: 'title' | 'text' | 'task' | 'done') => `learn.${lesson.name}.${part}` as Key

const KEY = 'azulejo.lessons'

/** The ids of lesson games on a server, which the list of the player's games leaves out. */
export const lessonGames = () => load<string[]>(KEY, [])

export const rememberLesson = (id: string) => save(KEY, [...lessonGames(), id].slice(-300))
