// Primeiros jogos, lições que respondem e o jogo do dia.

import type { first as english } from '../en/first.ts'

export const first: Record<keyof typeof english, string> = {
  'first.title': 'É a primeira vez?',
  'first.more': 'Jogue um primeiro jogo com guia: mostra boas jogadas e explica o que acontece. Ou aprenda as regras passo a passo.',
  'first.play': 'Jogar um primeiro jogo com guia',
  'first.learn': 'Fazer as lições',

  'guide.take': 'Tire todos os azulejos de uma cor. Experimente os que brilham: {move}.',
  'guide.line': 'Ponha-os numa das suas linhas. Uma linha só leva uma cor; o que não cabe cai ao chão e custa pontos.',
  'guide.center': 'Os azulejos que deixou estão agora no centro, à disposição de todos.',
  'guide.marker': 'Quem tira primeiro do centro leva também o 1: custa um ponto, mas começa a próxima ronda.',
  'guide.good': 'Complete as linhas que começou e repare no que deixa aos outros.',
  'guide.move': 'Uma boa jogada: {move}.',
  'guide.round': 'As linhas completas puseram azulejos na parede e ficaram vazias. Um azulejo vale mais ao lado de outros.',
  'guide.same': 'As linhas incompletas ficam como estão. Complete-as primeiro: a cor delas está fixada.',
  'guide.bonus': 'Pense no fim: uma fila completa vale 2, uma coluna completa 7, os cinco azulejos de uma cor 10.',
  'guide.last': 'Uma fila está quase completa, por isso esta é a última ronda. Complete o que puder e deixe o chão vazio.',
  'guide.hint': 'A partir daqui joga sem guia. Se não souber o que fazer, peça uma dica.',

  'daily.title': 'Jogo do dia',
  'daily.way': 'Um jogo por dia, igual para todos.',
  'daily.more': 'Um jogo por dia, com os mesmos azulejos para todos: você contra {name}. Sem dicas e sem anular jogadas. Há um novo jogo à meia-noite UTC.',
  'daily.play': 'Jogar o jogo de hoje',
  'daily.continue': 'Continuar o jogo de hoje',
  'daily.next': 'Próximo jogo daqui a {time}.',
  'daily.won': 'Ganhou {score}',
  'daily.lost': 'Perdeu {score}',
  'daily.tied': 'Empatou {score}',
  'daily.open': 'por acabar',
  'daily.history': 'Os meus jogos do dia',
  'daily.none': 'Ainda nenhum. Jogue o de hoje e ele aparecerá aqui.',
  'daily.streak': '{n} dia seguido|{n} dias seguidos',
  'daily.share': 'Partilhar o resultado',
  'daily.shareMore': 'O texto não mostra azulejos do jogo, por isso não estraga a surpresa.',
  'daily.shareTitle': 'Azulejo, jogo do dia {date}',
  'daily.shareWon': 'Ganhei {score} contra {name} (nível {level})',
  'daily.shareLost': 'Perdi {score} contra {name} (nível {level})',
  'daily.shareTied': 'Empatei {score} com {name} (nível {level})',

  'learn.try': 'Experimentar',
  'learn.extras': 'Lições extra',
  'learn.otherPile': 'Num jogo poderia tirar estes. Nesta lição, tire {tiles} {from}.',
  'learn.otherLine': 'Num jogo poderia pô-los aí. Nesta lição, escolha {lines}.',
  'why.chooseFirst': 'Escolha primeiro azulejos: uma cor numa fábrica ou no centro.',

  'table.unsent': 'A sua jogada é enviada assim que a ligação voltar',
  'hint.now': 'Dica: {move}',
  'eval.best': 'O melhor para {name}: {move}',
}
