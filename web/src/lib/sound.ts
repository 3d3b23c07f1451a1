// Sounds, synthesized with Web Audio: a tile is a short knock of clay, points are a small chime.

import { settings } from './settings.svelte.ts'
import type { Step } from './types.ts'

let audio: AudioContext | undefined

/** Browsers allow sound only after the first click, tap or key press in the page. */
function context(isHeardAlways = false): AudioContext | undefined {
  if (!settings.sound || (document.hidden && !isHeardAlways) || typeof AudioContext === 'undefined') return undefined
  if (!navigator.userActivation?.hasBeenActive) return undefined
  audio ??= new AudioContext()
  return audio
}

function knock(at: number, pitch: number, loud: number): void {
  const sounds = context()
  if (!sounds) return
  const start = sounds.currentTime + at
  const length = Math.floor(sounds.sampleRate * 0.05)
  const buffer = sounds.createBuffer(1, length, sounds.sampleRate)
  const samples = buffer.getChannelData(0)
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp((-i / length) * 9)
  const noise = new AudioBufferSourceNode(sounds, { buffer })
  const band = new BiquadFilterNode(sounds, { type: 'bandpass', frequency: pitch, Q: 6 })
  const gain = new GainNode(sounds, { gain: loud })
  noise.connect(band).connect(gain).connect(sounds.destination)
  noise.start(start)
}

function chime(at: number, pitch: number, loud: number, isHeardAlways = false): void {
  const sounds = context(isHeardAlways)
  if (!sounds) return
  const start = sounds.currentTime + at
  const tone = new OscillatorNode(sounds, { type: 'sine', frequency: pitch })
  const gain = new GainNode(sounds, { gain: 0 })
  gain.gain.setValueAtTime(0, start)
  gain.gain.linearRampToValueAtTime(loud, start + 0.01)
  gain.gain.exponentialRampToValueAtTime(0.0001, start + 0.5)
  tone.connect(gain).connect(sounds.destination)
  tone.start(start)
  tone.stop(start + 0.55)
}

/** The sound of a step, or of the viewer's turn. */
export function play(step: Step | 'turn'): void {
  // A turn is also heard in a tab in the background.
  if (step === 'turn') return chime(0, 660, document.hidden ? 0.12 : 0.04, true)
  switch (step.type) {
    case 'drafted': {
      const n = step.into_line.length + step.to_floor.length
      for (let i = 0; i < n; i++) knock(0.35 + i * 0.05, 1_500 - i * 60, 0.9)
      break
    }
    case 'placed':
      knock(0.4, 1_900, 0.8)
      for (let i = 0; i < Math.min(step.points, 6); i++) chime(0.45 + i * 0.06, 520 * 1.122 ** i, 0.04)
      break
    case 'floor_cleared':
      if (step.loss > 0) chime(0, 196, 0.08)
      break
    case 'dealt':
      for (let i = 0; i < 12; i++) knock(i * 0.04, 900 + Math.random() * 700, 0.35)
      break
    case 'bonuses_scored':
      if (step.bonuses.total > 0) [0, 4, 7, 12].forEach((semitones, i) => chime(i * 0.09, 440 * 2 ** (semitones / 12), 0.06))
      break
  }
}
