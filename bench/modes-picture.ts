/** The modes side by side as a picture (SVG): a panel a figure, a bar a mode. The same figures give the same text. */
import { inWords } from './row.ts';
import type { Used } from './usage.ts';

export interface ModeFigures extends Used {
  readonly mode: string;
  /** How many waits ended in success. */
  readonly ended: number;
  readonly dollars: number;
  /** Seconds from a condition to its notice. */
  readonly delayP50: number;
  readonly delayMax: number;
}

const PANELS: readonly { readonly title: string; readonly of: (figures: ModeFigures) => number }[] = [
  { title: 'worker-seconds held', of: ({ workerSeconds }) => workerSeconds },
  { title: 'workers at one time', of: ({ peakWorkers }) => peakWorkers },
  { title: 'Lambda invocations', of: ({ invocations }) => invocations },
  { title: 'calls of EMR', of: ({ calls }) => calls },
  { title: 'DynamoDB write units', of: ({ writes }) => writes },
  { title: 'state transitions', of: ({ transitions }) => transitions },
  { title: 'cost, dollars', of: ({ dollars }) => dollars },
  { title: 'detection delay, median, seconds', of: ({ delayP50 }) => delayP50 },
];

const COLUMNS = 2;
const PANEL_WIDTH = 400;
const NAME_WIDTH = 90;
const BAR_WIDTH = 210;
const BAR_HEIGHT = 16;
const ROW_HEIGHT = 22;
const HEAD = 46;
const PANEL_HEAD = 28;
const COLOURS = ['#2a6f97', '#61a5c2', '#e09f3e', '#9e2a2b'];

/** @returns the picture as a file's text. */
export function modesPicture(title: string, figures: readonly ModeFigures[]): string {
  const panelHeight = PANEL_HEAD + figures.length * ROW_HEIGHT + 14;
  const width = COLUMNS * PANEL_WIDTH;
  const height = HEAD + Math.ceil(PANELS.length / COLUMNS) * panelHeight;
  const panels = PANELS.flatMap((panel, index) => {
    const x = (index % COLUMNS) * PANEL_WIDTH + 16;
    const y = HEAD + Math.floor(index / COLUMNS) * panelHeight;
    return [`<g transform="translate(${x} ${y})">`, ...panelLines(panel, figures), '</g>'];
  });
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`,
    '  font-family="system-ui, sans-serif" font-size="13">',
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    `<text x="16" y="28" font-size="16" font-weight="600" fill="#222222">${escaped(title)}</text>`,
    ...panels,
    '</svg>',
  ].join('\n')}\n`;
}

function panelLines({ title, of }: (typeof PANELS)[number], figures: readonly ModeFigures[]): readonly string[] {
  const most = Math.max(...figures.map(of));
  const bars = figures.flatMap((one, index) => {
    const value = of(one);
    const y = PANEL_HEAD + index * ROW_HEIGHT;
    const bar = most === 0 ? 0 : Math.round((value / most) * BAR_WIDTH * 10) / 10;
    const colour = COLOURS[index % COLOURS.length] ?? '';
    return [
      `<text x="0" y="${y + 12}" fill="#444444">${escaped(one.mode)}</text>`,
      `<rect x="${NAME_WIDTH}" y="${y}" width="${bar}" height="${BAR_HEIGHT}" rx="2" fill="${colour}"/>`,
      `<text x="${NAME_WIDTH + bar + 6}" y="${y + 12}" fill="#222222">${inWords(value)}</text>`,
    ];
  });
  return [`<text x="0" y="16" font-weight="600" fill="#222222">${escaped(title)}</text>`, ...bars];
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
