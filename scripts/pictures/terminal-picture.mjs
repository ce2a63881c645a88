// A terminal as SVG: text in a dark window, readable on a light page and on a dark one. It refers to nothing else, not even a font.
const SIZE = 14;
const COLUMN = 8.43;
const ROW = 20;
const EDGE = 20;
const HEAD = 36;
const COLORS = { 31: '#ff7b72', 32: '#7ee787', 33: '#e3b341', 36: '#79c0ff', 90: '#8b949e' };

export function terminalPicture(title, lines) {
  const rows = lines.map(cellsOf);
  const columns = Math.max(...rows.map((cells) => cells.reduce((sum, { text }) => sum + [...text].length, 0)));
  const width = Math.ceil(columns * COLUMN + 2 * EDGE);
  const height = HEAD + rows.length * ROW + EDGE;
  const buttons = ['#ff5f57', '#febc2e', '#28c840'].map(
    (color, i) => `<circle cx="${EDGE + 5 + 18 * i}" cy="20" r="5.5" fill="${color}"/>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="9" fill="#161b22" stroke="#484f58"/>`,
    ...buttons,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${SIZE}" fill="#e6edf3">`,
    ...rows.flatMap((cells, row) => textOf(cells, HEAD + ROW * row + SIZE + 4)),
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

/** Each cell has its place and its width, so that columns meet whatever font there is. */
function textOf(cells, y) {
  let column = 0;
  return cells.flatMap(({ text, style }) => {
    const at = column;
    column += [...text].length;
    const blank = text.length - text.trimStart().length;
    const shown = text.trim();
    if (shown === '') return [];
    const x = (EDGE + (at + blank) * COLUMN).toFixed(1);
    const length = ([...shown].length * COLUMN).toFixed(1);
    return [`<text x="${x}" y="${y}" textLength="${length}" xml:space="preserve"${style}>${escaped(shown)}</text>`];
  });
}

/** The pieces of a line that look alike, by its escape sequences; what follows `$ ` is what somebody types. */
function cellsOf(line) {
  if (line.startsWith('$ '))
    return [
      { text: '$ ', style: ` fill="${COLORS[90]}"` },
      { text: line.slice(2), style: ' font-weight="bold"' },
    ];
  const state = { color: undefined, bold: false, dim: false };
  const [first = '', ...rest] = line.split('\u001b[');
  const cells = [{ text: first, style: '' }];
  for (const piece of rest) {
    const [, code = '', text = ''] = /^(\d+)m(.*)$/.exec(piece) ?? [];
    if (code === '1') state.bold = true;
    else if (code === '2') state.dim = true;
    else if (code === '22') Object.assign(state, { bold: false, dim: false });
    else state.color = COLORS[code];
    const color = state.color ?? (state.dim ? COLORS[90] : undefined);
    cells.push({ text, style: `${color ? ` fill="${color}"` : ''}${state.bold ? ' font-weight="bold"' : ''}` });
  }
  return cells;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
