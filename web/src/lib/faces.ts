// The faces of the levels: portraits on tiles, drawn like the single figures of old blue-and-white azulejos. A
// part is a path of 48 × 48 with a letter for its look: `l` a line, `b` blue, `w` a pale wash, `y` yellow, `s` skin.

export type Part = readonly [look: 'l' | 'b' | 'w' | 'y' | 's', path: string]

const SHOULDERS: Part = ['w', 'M9 44c1-8 7-11 15-11s14 3 15 11z']
const HEAD: Part = ['s', 'M15 22.5a9 10 0 1 0 18 0a9 10 0 1 0-18 0z']
const EYES: Part = ['b', 'M19 22a1.3 1.5 0 1 0 2.6 0a1.3 1.5 0 1 0-2.6 0zm7.4 0a1.3 1.5 0 1 0 2.6 0a1.3 1.5 0 1 0-2.6 0z']
const NOSE: Part = ['l', 'M24 22.5l-.8 3h1.3']
const SMILE: Part = ['l', 'M20.5 28c2 1.8 5 1.8 7 0']
const person = (...parts: Part[]): Part[] => [SHOULDERS, HEAD, EYES, NOSE, ...parts]

/** The faces, the weakest level first. */
export const FACES: Part[][] = [
  // Visitor: a sun hat and a wide smile.
  person(['l', 'M19.5 27c1.5 3.2 7.5 3.2 9 0z'], ['w', 'M16 15.5c0-8 16-8 16 0z'], ['y', 'M8 16.2c6-3 26-3 32 0c-5 2.8-27 2.8-32 0z'], ['b', 'M16.3 13.6c4 1 11 1 15.4 0v1.7c-4 .7-11 .7-15.4 0z']),
  // Novice: tousled hair, freckles, an open mouth.
  person(['b', 'M14.8 20c-.5-7 4-11 8-10c.5-2 3-2.5 3.2-1c5 .3 7.5 5 7.2 11c-1.7-3-4-4.5-5.2-4.8c-1 1-2 1.2-3 .6c-2 1-4 .3-5-.4c-2 .8-4 2-5.2 4.6z'], ['b', 'M22.8 28.5a1.3 1.5 0 1 0 2.6 0a1.3 1.5 0 1 0-2.6 0z'], ['l', 'M17.6 25.4h.1m1.7 1h.1m8.9-1h.1m-1.7 1h.1']),
  // Learner: long hair, a pencil behind the ear.
  [['b', 'M13.5 34c-2-14 1-24 10.5-24s12.5 10 10.5 24c-4-1-17-1-21 0z'], ...person(SMILE, ['b', 'M15 21c1-6 4-7.5 7-7.5c2.5 0 8 .5 11 7.5c0-8-4-11-9-11s-9.5 3-9 11z'], ['y', 'M31 22.5l8-9.5 1.6 1.3-8 9.5-2 .6z'])],
  // Apprentice: a cap with a visor.
  person(['l', 'M21 28.2c2 1.2 4.5.8 6-.8'], ['b', 'M15 18.5c-.5-12 18.5-12 18 0z'], ['w', 'M15 18.5h18l6 1.5c.5 1.3-.7 1.8-2 1.7l-22-1.6z'], ['y', 'M23 9.2h2v1.6h-2z']),
  // Tiler: a bandana and stubble.
  person(SMILE, ['y', 'M14.6 19c0-11 18.8-11 18.8 0c-6-2.2-12.8-2.2-18.8 0z'], ['y', 'M33 17l5.5-2.5-1.5 3 2.5 2.5-6.3-1.2z'], ['b', 'M19 13.5h1.5v1.5h-1.5zm4.5-2h1.5v1.5h-1.5zm4.5 2h1.5v1.5h-1.5z'], ['l', 'M18 29.5v.6m2 1v.6m2.5.2v.6m3-.6v.6m2.5-1.4v.6m2-1.6v.6']),
  // Craftsman: a flat cap and a mustache.
  person(['b', 'M16.5 28c2-3.3 6-3 7.5-1c1.5-2 5.5-2.3 7.5 1c-2.5 1.8-6 1.4-7.5-.2c-1.5 1.6-5 2-7.5.2z'], ['w', 'M12.5 17.5c1-9 20-11 23.5-1.5c1.5 2.5 0 3.5-2.5 2.8c-6-1.6-12-1.2-18 .4c-2 .4-3.2-.2-3-1.7z'], ['l', 'M15.5 18.8c6-3.5 12-3.8 18.3-1']),
  // Artisan: a beret, a goatee, a brush.
  person(['l', 'M20.5 27.5c2 1.6 5 1.6 7 0'], ['b', 'M22.3 30.2l1.7 4.2 1.7-4.2z'], ['b', 'M12.5 17.5c-2-7 12-12 20.5-6.5c4 3 1.5 6-3.5 5.6c-6-1-11-.5-17 .9z'], ['l', 'M23.5 9.6l.5-2.5'], ['y', 'M37 44l2-14h1.6l-1 14z'], ['b', 'M38.6 30.5c-.6-3 .2-5 1.6-6.5c.8 2 1 4.5.6 6.5z']),
  // Designer: round glasses and a bun.
  person(SMILE, ['b', 'M20.5 9a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0zM14.6 21c-.4-12 19.2-12 18.8 0c-2-4.5-5-6.5-9.4-6.5s-7.4 2-9.4 6.5z'], ['l', 'M16.6 22.3a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0zm7.2-.3c.3-.7 1-.7 1.3 0m0 .3a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0-7.2 0'], ['y', 'M14 26h1.8v3h-1.8zm18.2 0h1.8v3h-1.8z']),
  // Master: a long beard and heavy brows.
  person(['w', 'M14.8 24c-.5 11 4 18 9.2 18s9.7-7 9.2-18c-2.2 3-5 3-9.2 3s-7-0-9.2-3z'], ['l', 'M21 29.5c2 1.3 4 1.3 6 0M20 33v4m4-3v5m4-6v4'], ['b', 'M18 19.6l5 .6v-1.5l-4.6-.9zm12 0l-5 .6v-1.5l4.6-.9z']),
  // Azulejo: the sun of the tiles.
  [
    ['y', 'M24 .5l3 8 5.5-6.5.5 8.5 8-3.5-3.5 8 8.5.500-6.5 5.5 8 3-8 3 6.5 5.5-8.5.5 3.5 8-8-3.5-.5 8.5-5.5-6.5-3 8-3-8-5.5 6.5-.5-8.5-8 3.5 3.5-8-8.5-.5 6.5-5.5-8-3 8-3-6.5-5.5 8.5-.5-3.5-8 8 3.5.5-8.5 5.5 6.5z'],
    ['s', 'M12.5 24a11.5 11.5 0 1 0 23 0a11.5 11.5 0 1 0-23 0z'],
    ['l', 'M17 22c1.3-1.8 3.7-1.8 5 0m4 0c1.3-1.8 3.7-1.8 5 0M24 22.5l-1 4h1.7M19.5 29c2.5 2.5 6.5 2.5 9 0'],
  ],
]
