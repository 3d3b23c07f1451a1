// Our own SVG drawings of the tiles. Each color has its own figure, so that color is never the only cue:
// blue is a star of petals, yellow a lattice with a flower, red a cross of lilies, black interlaced rings,
// white a snow crystal, the joker a pinwheel of all five. The drawings use `var(--tile-…)` colors, which the
// theme fills in. A table shows two hundred tiles, so each drawing becomes one image that all of them share.

/** The starting player marker: a disc of glazed clay with a digit or letter. */
const marker = (sign: string) => `
    <circle cx="24" cy="24" r="22" fill="var(--marker)" stroke="var(--tile-b)" stroke-width="2.4" />
    <circle cx="24" cy="24" r="17.5" fill="none" stroke="var(--tile-b)" stroke-width="1.2" stroke-dasharray="2.2 3.3" />
    <path d="${sign}" fill="none" stroke="var(--tile-b)" stroke-width="3.6" stroke-linecap="round" stroke-linejoin="round" />`

const ART: Record<string, string> = {
  B: `
    <rect width="48" height="48" fill="var(--tile-b)" />
    <path d="M0 13A13 13 0 0 0 13 0M35 0A13 13 0 0 0 48 13M48 35A13 13 0 0 0 35 48M13 48A13 13 0 0 0 0 35" fill="none" stroke="var(--tile-b-soft)" stroke-width="1.6" />
    <g fill="var(--tile-b-pale)">
    <path d="M0 8A8 8 0 0 0 8 0H0ZM48 8A8 8 0 0 1 40 0H48ZM0 40A8 8 0 0 1 8 48H0ZM48 40A8 8 0 0 0 40 48H48Z" />
    <path d="M24 3C28 9 29 14 24 21C19 14 20 9 24 3ZM24 45C28 39 29 34 24 27C19 34 20 39 24 45ZM3 24C9 20 14 19 21 24C14 29 9 28 3 24ZM45 24C39 20 34 19 27 24C34 29 39 28 45 24Z" />
    </g>
    <path d="M11 11C17.5 12 21 15 22 22C15 21 12 17.5 11 11ZM37 11C30.5 12 27 15 26 22C33 21 36 17.5 37 11ZM11 37C17.5 36 21 33 22 26C15 27 12 30.5 11 37ZM37 37C30.5 36 27 33 26 26C33 27 36 30.5 37 37Z" fill="var(--tile-b-soft)" />
    <circle cx="24" cy="24" r="4.2" fill="var(--tile-y)" />`,
  Y: `
    <rect width="48" height="48" fill="var(--tile-y)" />
    <path d="M24 0L48 24L24 48L0 24Z" fill="none" stroke="var(--tile-y-pale)" stroke-width="2.2" />
    <path d="M0 0H12L0 12ZM48 0H36L48 12ZM0 48V36L12 48ZM48 48V36L36 48Z" fill="var(--tile-y-deep)" />
    <g fill="var(--tile-y-pale)">
    <circle cx="24" cy="15.5" r="6.2" /><circle cx="24" cy="32.5" r="6.2" />
    <circle cx="15.5" cy="24" r="6.2" /><circle cx="32.5" cy="24" r="6.2" />
    </g>
    <g fill="var(--tile-y-deep)">
    <circle cx="24" cy="15" r="2.6" /><circle cx="24" cy="33" r="2.6" />
    <circle cx="15" cy="24" r="2.6" /><circle cx="33" cy="24" r="2.6" />
    </g>
    <circle cx="24" cy="24" r="4.6" fill="var(--tile-b)" />`,
  R: `
    <rect width="48" height="48" fill="var(--tile-r)" />
    <path d="M0 16C8 16 16 8 16 0H32C32 8 40 16 48 16V32C40 32 32 40 32 48H16C16 40 8 32 0 32Z" fill="var(--tile-r-deep)" />
    <path d="M0 16C8 16 16 8 16 0M32 0C32 8 40 16 48 16M48 32C40 32 32 40 32 48M16 48C16 40 8 32 0 32" fill="none" stroke="var(--tile-r-pale)" stroke-width="1.8" />
    <g fill="var(--tile-r-pale)">
    <path d="M24 4L28.5 10.5C32 10 32 14.5 28.5 15L25.8 22H22.200L19.5 15C16 14.5 16 10 19.5 10.5Z" />
    <path d="M24 44L28.5 37.5C32 38 32 33.5 28.5 33L25.8 26H22.200L19.5 33C16 33.5 16 38 19.5 37.5Z" />
    <path d="M4 24L10.5 19.5C10 16 14.5 16 15 19.5L22 22.200V25.800L15 28.5C14.5 32 10 32 10.5 28.5Z" />
    <path d="M44 24L37.5 19.5C38 16 33.5 16 33 19.5L26 22.200V25.800L33 28.5C33.5 32 38 32 37.5 28.5Z" />
    <circle cx="5" cy="5" r="2.8" /><circle cx="43" cy="5" r="2.8" />
    <circle cx="5" cy="43" r="2.8" /><circle cx="43" cy="43" r="2.8" />
    </g>
    <circle cx="24" cy="24" r="4.2" fill="var(--tile-r)" />`,
  K: `
    <rect width="48" height="48" fill="var(--tile-k)" />
    <g fill="none" stroke="var(--tile-k-pale)" stroke-width="2.4">
    <circle cx="0" cy="0" r="17" /><circle cx="48" cy="0" r="17" />
    <circle cx="0" cy="48" r="17" /><circle cx="48" cy="48" r="17" />
    <circle cx="24" cy="24" r="13" />
    </g>
    <g fill="none" stroke="var(--tile-k-soft)" stroke-width="1.2">
    <circle cx="0" cy="0" r="12.5" /><circle cx="48" cy="0" r="12.5" />
    <circle cx="0" cy="48" r="12.5" /><circle cx="48" cy="48" r="12.5" />
    </g>
    <g fill="var(--tile-k-pale)">
    <path d="M24 14.5L27.5 20.5L33.5 24L27.5 27.5L24 33.5L20.5 27.5L14.5 24L20.5 20.5Z" />
    <circle cx="3" cy="3" r="4" /><circle cx="45" cy="3" r="4" />
    <circle cx="3" cy="45" r="4" /><circle cx="45" cy="45" r="4" />
    </g>
    <circle cx="24" cy="24" r="3.4" fill="var(--tile-y)" />`,
  W: `
    <rect width="48" height="48" fill="var(--tile-w)" />
    <path d="M0 0H15L0 15ZM48 0V15L33 0ZM0 48V33L15 48ZM48 48H33L48 33Z" fill="var(--tile-w-soft)" />
    <g fill="none" stroke="var(--tile-w-ink)" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">
    <path d="M24 4V44M4 24H44M11 11L37 37M37 11L11 37" />
    <path d="M19.5 7.5L24 12L28.5 7.5M19.5 40.5L24 36L28.5 40.5M7.5 19.5L12 24L7.5 28.5M40.5 19.5L36 24L40.5 28.5" />
    <path d="M0 15L15 0M33 0L48 15M48 33L33 48M15 48L0 33" stroke-width="1.4" />
    </g>
    <g fill="var(--tile-w-ink)">
    <circle cx="14" cy="14" r="2.5" /><circle cx="34" cy="14" r="2.5" />
    <circle cx="14" cy="34" r="2.5" /><circle cx="34" cy="34" r="2.5" />
    </g>
    <circle cx="24" cy="24" r="5.4" fill="var(--tile-w)" stroke="var(--tile-w-ink)" stroke-width="2" />
    <circle cx="24" cy="24" r="2" fill="var(--tile-b)" />`,
  J: `
    <rect width="48" height="48" fill="var(--tile-w)" />
    <path d="M24 24L24 0L6 0Q10 14 24 24Z" fill="var(--tile-b)" />
    <path d="M24 24L48 24L48 6Q34 10 24 24Z" fill="var(--tile-r)" />
    <path d="M24 24L24 48L42 48Q38 34 24 24Z" fill="var(--tile-y)" />
    <path d="M24 24L0 24L0 42Q14 38 24 24Z" fill="var(--tile-k)" />
    <path d="M24 24L42 0L48 0L48 6ZM24 24L48 42L48 48L42 48ZM24 24L6 48L0 48L0 42ZM24 24L0 6L0 0L6 0Z" fill="var(--tile-w-ink)" />
    <circle cx="24" cy="24" r="10" fill="var(--tile-w)" stroke="var(--tile-b)" stroke-width="1.6" />
    <path d="M24 16.5L26 21.5L31.4 21.900L27.3 25.400L28.6 30.600L24 27.800L19.4 30.600L20.7 25.400L16.6 21.900L22 21.5Z" fill="var(--tile-y)" stroke="var(--tile-y-deep)" stroke-width=".8" />`,
  '1': marker('M20 17.5L26 14V34M20.5 34H31.5'),
  F: marker('M19 34V14H30.5M19 24H28'),
}

/** Sets `--art-B` and so on to the drawings in the colors of the theme. */
export function drawTiles(root: HTMLElement): void {
  const look = getComputedStyle(root)
  for (const [tile, art] of Object.entries(ART)) {
    const colored = art.replace(/var\((--[\w-]+)\)/g, (_, name: string) => look.getPropertyValue(name).trim())
    const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48">${colored.replace(/\n\s*/g, '')}</svg>`
    root.style.setProperty(`--art-${tile}`, `url("data:image/svg+xml,${encodeURIComponent(picture)}")`)
  }
}
