// The frame of the site: top bar, home page, missing pages.

export const site = {
  'menu.title': 'Pages',
  'menu.play': 'Play',
  'menu.learn': 'Learn',
  'menu.puzzles': 'Puzzles',
  'menu.analysis': 'Analysis',
  'menu.watch': 'Watch',
  'menu.profile': 'Profile',
  'menu.moreSettings': 'All settings',

  'missing.what': 'There is no page at',
  'missing.why': 'A letter of the address may be missing, or the page has moved. From here you can go to:',
  'missing.where': 'Where to go from here',
}
