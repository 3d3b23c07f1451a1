// Textos da análise de um jogo, e as frases sobre jogadas e distribuições, que em inglês vêm do módulo.

import type { review as english } from '../en/review.ts'
import type { ReviewWords } from '../../lib/study/words.ts'

export const review: Record<keyof typeof english, string> = {
  'review.title': 'Análise do jogo',
  'review.of': 'Análise: {names}',
  'review.paste': 'Cole o registo de um jogo, em texto ou JSON',
  'review.file': 'Abrir um ficheiro',
  'review.open': 'Analisar',
  'review.bad': 'Não é possível analisar isto: {message}',
  'review.badLink': 'A ligação está danificada: o jogo nela não pode ser lido. Peça-a outra vez.',
  'review.running': 'O jogo ainda não acabou. A análise fica para o fim.',
  'review.runningOwn': 'Está a jogar este jogo. A análise fica para o fim.',
  'review.toGame': 'Para o jogo',
  'review.noMoves': 'Nada foi jogado neste jogo, por isso não há nada para analisar.',
  'review.unfinished': 'Este jogo não foi acabado: a última probabilidade está no lugar do resultado.',
  'review.loading': 'A análise começa…',
  'review.progress': 'Em análise: {n} %',
  'review.paused': 'Em pausa nos {n} %',
  'review.done': 'Analisado',
  'review.pause': 'Pausa',
  'review.resume': 'Continuar',
  'review.budget': 'Com que cuidado',
  'review.budget.quick': 'Rápida',
  'review.budget.normal': 'Normal',
  'review.budget.thorough': 'Minuciosa',
  'review.preliminary': 'Valores provisórios',

  'review.graph': 'Probabilidade de vencer',
  'review.graphOf': 'Probabilidade de vencer depois de cada jogada. {names}',
  'review.luck': 'Sorte de {name} nas distribuições',
  'review.moment': 'Momento {n} de {all}: {what}',
  'review.start': 'Antes da primeira distribuição',
  'review.deal': 'Distribuição da ronda {n}',
  'review.end': 'O fim',
  'review.chance': '{name} {n} %',
  'review.waits': 'Ainda não analisada.',

  'review.judgement.brilliant': 'brilhante',
  'review.judgement.best': 'a melhor',
  'review.judgement.good': 'boa',
  'review.judgement.inaccuracy': 'imprecisão',
  'review.judgement.mistake': 'erro',
  'review.judgement.blunder': 'erro grave',
  'review.count.brilliant': 'brilhante|brilhantes',
  'review.count.inaccuracy': 'imprecisão|imprecisões',
  'review.count.mistake': 'erro|erros',
  'review.count.blunder': 'erro grave|erros graves',

  'review.legend': 'Setas: a contínua é a jogada feita, a tracejada teria sido melhor.',
  'review.previous': 'Erro anterior',
  'review.next': 'Erro seguinte',
  'review.back': 'Uma jogada atrás',
  'review.forward': 'Uma jogada à frente',
  'review.analyze': 'Estudar esta posição',
  'review.share': 'Copiar uma ligação para este momento',
  'review.shared': 'A ligação foi copiada. Contém o jogo.',
  'review.sharedPlain': 'A ligação foi copiada.',
  'review.noClipboard': 'O navegador não deixa esta página copiar. O endereço acima é a ligação.',

  'review.accuracy': 'Precisão',
  'review.accuracyMore': 'De 0 a 100, a média de todas as jogadas com escolha. Um só jogo diz pouco: compare muitos.',
  'review.loss': 'Perda por jogada',
  'review.phases': 'Precisão por fase',
  'review.phase.opening': 'Início',
  'review.phase.middle': 'Meio',
  'review.phase.ending': 'Fim',
  'review.points': 'Pontos',
  'review.points.placements': 'Azulejos',
  'review.points.floor': 'Chão',
  'review.points.rows': 'Filas',
  'review.points.columns': 'Colunas',
  'review.points.colors': 'Cores',
  'review.turning': 'Momentos decisivos',
  'review.turningDeal': 'Distribuição da ronda {n}',
  'review.turningMove': '{name}: {move}',

  'ledger.title': 'Sorte e arte: {name}',
  'ledger.start': 'No início',
  'ledger.lot': 'Quem começa',
  'ledger.luck': 'Sorte nas distribuições',
  'ledger.own_errors': 'Erros próprios',
  'ledger.others_errors': 'Ofertas dos outros',
  'ledger.othersOne': 'Ofertas de {name}',
  'ledger.others_choices': 'Escolhas dos outros',
  'ledger.substitute': 'Erros do motor',
  'ledger.ended_early': 'Fim antecipado',
  'ledger.residual': 'Por explicar',
  'ledger.result': 'Resultado',
  'ledger.won': 'vitória',
  'ledger.lost': 'derrota',
  'ledger.shared': 'partilhada',
  'ledger.open': 'agora',
  'ledger.choicesMore': '“Escolhas dos outros”: jogadas que nada lhes custaram e mesmo assim ajudaram ou prejudicaram, e respostas que o motor não previu.',
  'ledger.residualMore': '“Por explicar” é onde o motor mudou de opinião. Mostra-se para que ninguém confie nas outras linhas mais do que merecem.',
  'ledger.picture': 'Guardar como imagem',
  'ledger.foot': 'Probabilidade de vencer em percentagem · Azulejo',

  'retry.title': 'Tentar outra vez os erros',
  'retry.of': 'Tentar outra vez os erros de {name}',
  'retry.none': '{name} não fez erros para repetir.',
  'retry.ask': 'Erro {n} de {all}. {name} jogou {move}. Encontre uma jogada melhor.',
  'retry.judging': 'A ver {move}…',
  'retry.right': '{move}: tão boa como a melhor. Bem visto!',
  'retry.wrong': 'Não é {move}: perde {loss} %.',
  'retry.again': 'Tentar outra vez',
  'retry.show': 'Mostrar a jogada',
  'retry.shown': 'A melhor jogada é {move}.',
  'retry.next': 'Erro seguinte',
  'retry.finish': 'Voltar à análise',
  'retry.over': 'Todos os erros repetidos: {n} de {all} encontrado.|Todos os erros repetidos: {n} de {all} encontrados.',
}

const percent = (share: number) => `${(100 * share).toFixed(1).replace('.', ',')} %`
const points = (n: number) => (Math.abs(n) === 1 ? '1 ponto' : `${Math.abs(n)} pontos`)
const SURE = { proved: 'provado', solved: 'resolvido', estimated: 'estimado' }
const SIGN = { brilliant: '!!', best: '', good: '', inaccuracy: '?!', mistake: '?', blunder: '??' }

export const reviewWords: ReviewWords = {
  decision: ({ played, best, judgement, loss, certainty, n_moves, line, reasons, seat }, name) => {
    const told: string[] = []
    if (judgement === 'brilliant') told.push(`${played}!! é a única jogada boa, e difícil de ver.`)
    else if (judgement === 'best') told.push(n_moves === 1 ? `${played} é a única jogada.` : `${played} é a melhor jogada.`)
    else told.push(loss > 0 ? `${played}${SIGN[judgement]} perde ${percent(loss)} (${SURE[certainty]}).` : `${played} é boa: não perde nada.`)
    if (best === played) return told
    const then = line.slice(1, 5)
    told.push(`Melhor: ${best}${then.length > 0 ? `, depois ${then.join(' ')}` : ''}.`)
    const why = reasons.flatMap((reason): string[] => {
      switch (reason.kind) {
        case 'placements':
          return reason.points > 0 ? [`coloca azulejos por mais ${points(reason.points)}`] : []
        case 'floor':
          return reason.points > 0 ? [`poupa ${points(reason.points)} no chão`] : []
        case 'bonuses':
          return reason.points > 0 ? [`leva a mais ${points(reason.points)} por filas, colunas e cores`] : []
        case 'denies':
          return reason.points > 0 ? [`custa ${points(reason.points)} a ${name(reason.seat)}`] : []
        case 'lines':
          return reason.tiles > 0 ? [`deixa mais azulejos em linhas por acabar (${reason.tiles})`] : []
        case 'starter':
          return [reason.best === seat ? 'começa a ronda seguinte' : `deixa ${name(reason.best)} começar a ronda seguinte`]
        case 'ending':
          return [reason.best ? 'acaba o jogo nesta ronda' : 'mantém o jogo vivo']
      }
    })
    const given = why.slice(0, 3).join(', ')
    if (given) told.push(`${given.charAt(0).toUpperCase()}${given.slice(1)}.`)
    return told
  },
  deal: ({ round, luck, error }, name) => {
    const seats = luck.map((share, i) => `${share < 0 ? 'custa' : 'traz'} ${percent(Math.abs(share))} a ${name(i + 1)}`)
    return `A distribuição da ronda ${round} ${seats.join(', ')} (±${percent(Math.max(...error))}).`
  },
}
