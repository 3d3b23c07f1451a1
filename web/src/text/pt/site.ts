// A moldura do site: a barra de cima, a página inicial, páginas que não existem.

import type { site as english } from '../en/site.ts'

export const site: Record<keyof typeof english, string> = {
  'menu.title': 'Páginas',
  'menu.play': 'Jogar',
  'menu.learn': 'Aprender',
  'menu.puzzles': 'Problemas',
  'menu.analysis': 'Análise',
  'menu.watch': 'Assistir',
  'menu.profile': 'Perfil',
  'menu.moreSettings': 'Todas as definições',

  'missing.what': 'Não há nenhuma página em',
  'missing.why': 'Talvez falte uma letra no endereço, ou a página mudou de sítio. Daqui pode ir para:',
  'missing.where': 'Para onde ir',
}
