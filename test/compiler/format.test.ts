import { compilePipeline, formatDiagnostics } from '../../compiler';

const none = { read: () => undefined, list: () => [] };

function formatted(text: string, options?: { color?: boolean }): string {
  return formatDiagnostics(compilePipeline('p.yaml', text, none).diagnostics, options);
}

describe('diagnostics for people', () => {
  it('show place, code, message, the line with a caret, and a hint', () => {
    const [place, message, line, caret, hint] = formatted('name: p\nstesp: []\nsteps:\n  - {id: a, run: b}\n').split('\n');
    expect(place).toBe('p.yaml:2:1  shape.unknown-key');
    expect(message).toMatch(/^ {2}.*"stesp"/);
    expect(line).toBe('2 | stesp: []');
    expect(caret).toBe('  | ^^^^^');
    expect(hint).toMatch(/^ {2}hint: .*"steps"/);
  });

  it.each(['args.list', 'run.id'])('say how $%s is written', (path) => {
    const out = formatted(`name: p\nargs: {list: {default: []}}\nsteps:\n  - {id: a, run: b, when: $${path}}\n`);
    expect(out).toContain(`hint: write \`${path}\`, without the \`$\``);
  });

  it('put the caret under what is wrong after wide characters', () => {
    const lines = formatted('name: p\nsteps:\n  - {id: a, run: b, description: 策略師, when: zz}\n').split('\n');
    const [line, caret] = [lines[2] ?? '', lines[3] ?? ''];
    const columns = [...line.slice(0, line.indexOf('zz'))].reduce((sum, char) => sum + (/[\u4e00-\u9fff]/.test(char) ? 2 : 1), 0);
    expect(caret.indexOf('^')).toBe(columns);
  });

  it('cut a long line around the caret', () => {
    const out = formatted(`name: p\nsteps:\n  - {id: a, run: b, description: ${'x'.repeat(900)}, when: zz}\n`);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThan(160);
    expect(out).toContain('when: zz');
  });

  it('keep control characters of the source from the terminal, and colour only if asked', () => {
    const text = 'name: p\nsteps:\n  - {id: a, run: b, when: "\\e[31m"}\nx: \u001b[2J\n';
    expect([...formatted(text)].every((char) => char === '\n' || (char.codePointAt(0) ?? 0) >= 32)).toBe(true);
    expect(formatted(text, { color: true })).toContain('\u001b[');
  });

  it('count columns from after a byte order mark, and not the carriage return', () => {
    const { diagnostics } = compilePipeline('p.yaml', '\ufeffnmae: p\r\nsteps: []\r\n', none);
    const found = diagnostics.find((d) => d.code === 'shape.unknown-key');
    expect([found?.line, found?.column, found?.endColumn, found?.sourceLine]).toEqual([1, 1, 5, 'nmae: p']);
  });

  it('are plain data with offsets into the text', () => {
    const text = 'name: p\nsteps:\n  - id: a\n    run: echo\n    when: $b.json.x\n';
    const [only] = compilePipeline('p.yaml', text, none).diagnostics;
    expect(only).toEqual(JSON.parse(JSON.stringify(only)));
    expect(text.slice(only?.startOffset, only?.endOffset)).toBe('$b');
  });
});
