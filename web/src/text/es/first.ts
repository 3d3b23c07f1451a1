// Primeras partidas, lecciones que responden y el reparto del día.

import type { first as english } from '../en/first.ts'

export const first: Record<keyof typeof english, string> = {
  'first.title': '¿Es tu primera vez?',
  'first.more': 'Juega una primera partida con guía: señala buenas jugadas y explica lo que pasa. O aprende las reglas paso a paso.',
  'first.play': 'Jugar una primera partida con guía',
  'first.learn': 'Hacer las lecciones',

  'guide.take': 'Toma todos los azulejos de un color. Prueba con los que brillan: {move}.',
  'guide.line': 'Ponlos en una de tus líneas. Una línea lleva un solo color; lo que no cabe cae al suelo y cuesta puntos.',
  'guide.center': 'Los azulejos que dejaste están ahora en el centro, al alcance de todos.',
  'guide.marker': 'Quien toma primero del centro se lleva también el 1: cuesta un punto, pero empieza la ronda siguiente.',
  'guide.good': 'Completa las líneas que has empezado y fíjate en lo que dejas a los demás.',
  'guide.move': 'Una buena jugada: {move}.',
  'guide.round': 'Tus líneas completas han puesto azulejos en la pared y se han vaciado. Un azulejo vale más junto a otros.',
  'guide.same': 'Las líneas incompletas se quedan como están. Complétalas primero: su color ya está fijado.',
  'guide.bonus': 'Piensa en el final: una fila completa vale 2, una columna completa 7, los cinco azulejos de un color 10.',
  'guide.last': 'Una fila está casi completa, así que esta es la última ronda. Completa lo que puedas y deja el suelo vacío.',
  'guide.hint': 'Ahora juegas por tu cuenta. Si no sabes qué hacer, pide una pista.',

  'daily.title': 'Reparto del día',
  'daily.way': 'Un reparto al día, igual para todos.',
  'daily.more': 'Una partida al día, con los mismos azulejos para todos: tú contra {name}. Sin pistas y sin deshacer jugadas. A medianoche UTC llega un reparto nuevo.',
  'daily.play': 'Jugar el reparto de hoy',
  'daily.continue': 'Seguir con el reparto de hoy',
  'daily.next': 'Próximo reparto dentro de {time}.',
  'daily.won': 'Ganada {score}',
  'daily.lost': 'Perdida {score}',
  'daily.tied': 'Empatada {score}',
  'daily.open': 'sin terminar',
  'daily.history': 'Mis repartos del día',
  'daily.none': 'Todavía ninguno. Juega el de hoy y aparecerá aquí.',
  'daily.streak': '{n} día seguido|{n} días seguidos',
  'daily.share': 'Compartir el resultado',
  'daily.shareMore': 'El texto no muestra azulejos del reparto, así que no desvela nada.',
  'daily.shareTitle': 'Azulejo, reparto del día {date}',
  'daily.shareWon': 'He ganado {score} contra {name} (nivel {level})',
  'daily.shareLost': 'He perdido {score} contra {name} (nivel {level})',
  'daily.shareTied': 'He empatado {score} con {name} (nivel {level})',

  'learn.try': 'Pruébalo',
  'learn.extras': 'Lecciones extra',
  'learn.otherPile': 'En una partida podrías tomar estos. En esta lección, toma {tiles} {from}.',
  'learn.otherLine': 'En una partida podrías ponerlos ahí. En esta lección, elige {lines}.',
  'why.chooseFirst': 'Elige primero azulejos: un color de una fábrica o del centro.',

  'table.unsent': 'Tu jugada se enviará en cuanto vuelva la conexión',
  'hint.now': 'Pista: {move}',
  'eval.best': 'Lo mejor para {name}: {move}',
}
