// Textos del análisis de una partida, y las frases sobre jugadas y repartos.

import type { ReviewWords } from '../../lib/study/words.ts'
import type { review as english } from '../en/review.ts'

export const review: Record<keyof typeof english, string> = {
  'review.title': 'Repaso',
  'review.of': 'Repaso: {names}',
  'review.paste': 'Pega el registro de una partida, como texto o JSON',
  'review.file': 'Abrir un archivo',
  'review.open': 'Repasar',
  'review.bad': 'Esto no se puede repasar: {message}',
  'review.badLink': 'El enlace está dañado: la partida que contiene no se puede leer. Pídelo otra vez.',
  'review.running': 'La partida no ha terminado. Su repaso llegará cuando termine.',
  'review.runningOwn': 'Estás jugando esta partida. Su repaso llegará cuando termine.',
  'review.toGame': 'Ir a la partida',
  'review.noMoves': 'En esta partida no se jugó nada, así que no hay nada que repasar.',
  'review.unfinished': 'Esta partida no se terminó: la última probabilidad vale como resultado.',
  'review.loading': 'Empieza el repaso…',
  'review.progress': 'Repasando: {n} %',
  'review.paused': 'En pausa al {n} %',
  'review.done': 'Repasada',
  'review.pause': 'Pausa',
  'review.resume': 'Continuar',
  'review.budget': 'Con cuánto cuidado',
  'review.budget.quick': 'Rápido',
  'review.budget.normal': 'Normal',
  'review.budget.thorough': 'A fondo',
  'review.preliminary': 'Cifras provisionales',

  'review.graph': 'Probabilidad de ganar',
  'review.graphOf': 'Probabilidad de ganar después de cada jugada. {names}',
  'review.luck': 'Suerte de los repartos para {name}',
  'review.moment': 'Momento {n} de {all}: {what}',
  'review.start': 'Antes del primer reparto',
  'review.deal': 'Reparto de la ronda {n}',
  'review.end': 'El final',
  'review.chance': '{name} {n} %',
  'review.waits': 'Todavía sin repasar.',

  'review.judgement.brilliant': 'brillante',
  'review.judgement.best': 'la mejor',
  'review.judgement.good': 'buena',
  'review.judgement.inaccuracy': 'imprecisión',
  'review.judgement.mistake': 'error',
  'review.judgement.blunder': 'error grave',
  'review.count.brilliant': 'brillante|brillantes',
  'review.count.inaccuracy': 'imprecisión|imprecisiones',
  'review.count.mistake': 'error|errores',
  'review.count.blunder': 'error grave|errores graves',

  'review.legend': 'Flechas: la continua es lo que se jugó, la discontinua habría sido mejor.',
  'review.previous': 'Error anterior',
  'review.next': 'Error siguiente',
  'review.back': 'Una jugada atrás',
  'review.forward': 'Una jugada adelante',
  'review.analyze': 'Analizar esta posición',
  'review.share': 'Copiar un enlace a este momento',
  'review.shared': 'Enlace copiado. Contiene la partida.',
  'review.sharedPlain': 'Enlace copiado.',
  'review.noClipboard': 'El navegador no deja copiar a esta página. La dirección de arriba es el enlace.',

  'review.accuracy': 'Precisión',
  'review.accuracyMore': 'De 0 a 100, la media de todas las jugadas con elección. Una partida dice poco: compara muchas.',
  'review.loss': 'Pérdida por jugada',
  'review.phases': 'Precisión por fase',
  'review.phase.opening': 'Apertura',
  'review.phase.middle': 'Medio juego',
  'review.phase.ending': 'Final',
  'review.points': 'Puntos',
  'review.points.placements': 'Azulejos',
  'review.points.floor': 'Suelo',
  'review.points.rows': 'Filas',
  'review.points.columns': 'Columnas',
  'review.points.colors': 'Colores',
  'review.turning': 'Momentos decisivos',
  'review.turningDeal': 'Reparto de la ronda {n}',
  'review.turningMove': '{name}: {move}',

  'ledger.title': 'Suerte y habilidad: {name}',
  'ledger.start': 'Al empezar',
  'ledger.lot': 'Quién empieza',
  'ledger.luck': 'Suerte de los repartos',
  'ledger.own_errors': 'Errores propios',
  'ledger.others_errors': 'Regalos de los demás',
  'ledger.othersOne': 'Regalos de {name}',
  'ledger.others_choices': 'Decisiones de los demás',
  'ledger.substitute': 'Errores del motor',
  'ledger.ended_early': 'Final anticipado',
  'ledger.residual': 'Sin explicar',
  'ledger.result': 'Resultado',
  'ledger.won': 'ganada',
  'ledger.lost': 'perdida',
  'ledger.shared': 'compartida',
  'ledger.open': 'ahora',
  'ledger.choicesMore': '«Decisiones de los demás»: jugadas que no les costaron nada y aun así ayudaron o perjudicaron, y respuestas que el motor no había previsto.',
  'ledger.residualMore': '«Sin explicar» es donde el motor cambió de opinión. Se muestra para que nadie confíe en las demás líneas más de lo que merecen.',
  'ledger.picture': 'Guardar como imagen',
  'ledger.foot': 'Probabilidad de ganar en tanto por ciento · Azulejo',

  'retry.title': 'Repetir tus errores',
  'retry.of': 'Repetir los errores de {name}',
  'retry.none': '{name} no cometió errores que repetir.',
  'retry.ask': 'Error {n} de {all}. {name} jugó {move}. Encuentra una jugada mejor.',
  'retry.judging': 'Mirando {move}…',
  'retry.right': '{move}: tan buena como la mejor. ¡Bien visto!',
  'retry.wrong': '{move} no es: pierde {loss} %.',
  'retry.again': 'Probar otra vez',
  'retry.show': 'Mostrar la jugada',
  'retry.shown': 'La mejor jugada es {move}.',
  'retry.next': 'Error siguiente',
  'retry.finish': 'Volver al repaso',
  'retry.over': 'Errores repetidos: {n} de {all} encontrado.|Errores repetidos: {n} de {all} encontrados.',
}

const percent = (share: number) => `${(100 * share).toFixed(1).replace('.', ',')} %`
const points = (n: number) => (Math.abs(n) === 1 ? '1 punto' : `${Math.abs(n)} puntos`)
const SURE = { proved: 'demostrado', solved: 'resuelto', estimated: 'estimado' }
const SIGN = { brilliant: '!!', best: '', good: '', inaccuracy: '?!', mistake: '?', blunder: '??' }

export const reviewWords: ReviewWords = {
  decision: ({ played, best, judgement, loss, certainty, n_moves, line, reasons, seat }, name) => {
    const told: string[] = []
    if (judgement === 'brilliant') told.push(`${played}!! es la única jugada buena, y difícil de ver.`)
    else if (judgement === 'best') told.push(n_moves === 1 ? `${played} es la única jugada.` : `${played} es la mejor jugada.`)
    else told.push(loss > 0 ? `${played}${SIGN[judgement]} pierde ${percent(loss)} (${SURE[certainty]}).` : `${played} es buena: no pierde nada.`)
    if (best === played) return told
    const then = line.slice(1, 5)
    told.push(`Mejor: ${best}${then.length > 0 ? `, después ${then.join(' ')}` : ''}.`)
    const why = reasons.flatMap((reason): string[] => {
      switch (reason.kind) {
        case 'placements':
          return reason.points > 0 ? [`coloca azulejos por ${points(reason.points)} más`] : []
        case 'floor':
          return reason.points > 0 ? [`ahorra ${points(reason.points)} en el suelo`] : []
        case 'bonuses':
          return reason.points > 0 ? [`lleva a ${points(reason.points)} más por filas, columnas y colores`] : []
        case 'denies':
          return reason.points > 0 ? [`cuesta ${points(reason.points)} a ${name(reason.seat)}`] : []
        case 'lines':
          return reason.tiles > 0 ? [`deja más azulejos en líneas sin completar (${reason.tiles})`] : []
        case 'starter':
          return [reason.best === seat ? 'empieza la ronda siguiente' : `deja a ${name(reason.best)} empezar la ronda siguiente`]
        case 'ending':
          return [reason.best ? 'termina la partida en esta ronda' : 'mantiene viva la partida']
      }
    })
    const given = why.slice(0, 3).join(', ')
    if (given) told.push(`${given.charAt(0).toUpperCase()}${given.slice(1)}.`)
    return told
  },
  deal: ({ round, luck, error }, name) => {
    const seats = luck.map((share, i) => `${share < 0 ? 'cuesta' : 'da'} ${percent(Math.abs(share))} a ${name(i + 1)}`)
    return `El reparto de la ronda ${round} ${seats.join(', ')} (±${percent(Math.max(...error))}).`
  },
}
