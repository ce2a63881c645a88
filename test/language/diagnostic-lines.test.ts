import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compilePipeline, diagnosticLines, formatDiagnostics } from '../../compiler';

const FILES: Record<string, string> = {
  'pipeline.yaml': 'name: p\nsteps:\n  - {id: a, agent: editor}\n  - {id: b, run: "true", tiemout: 3s}\n',
  'agents/editor.yaml': 'role: Judges.\nmodle: x\nreports_to: chief\n',
  'agents/chief.yaml': 'role: Leads.\ntimeout: soon\n',
};
const sources = { read: (path: string) => FILES[path], list: () => [] };
const { diagnostics } = compilePipeline('pipeline.yaml', FILES['pipeline.yaml'] ?? '', sources);

describe('diagnostics as lines', () => {
  const lines = diagnosticLines(diagnostics).split('\n');

  it('are one a mistake: file, line, column, severity, code, message', () => {
    expect(lines).toHaveLength(diagnostics.length + 1);
    expect(lines[0]).toMatch(/^pipeline\.yaml:4:26: error shape\.unknown-key: .*"tiemout".* \[hint: .*"timeout"\?.*\]$/);
  });

  it('say which files led to an included one, from the inside out', () => {
    const chief = diagnostics.find((d) => d.file === 'agents/chief.yaml');
    expect(chief?.includedFrom).toEqual([
      { file: 'agents/editor.yaml', line: 3, column: 13 },
      { file: 'pipeline.yaml', line: 3, column: 20 },
    ]);
    expect(diagnostics.find((d) => d.file === 'pipeline.yaml')).not.toHaveProperty('includedFrom');
    expect(lines.find((line) => line.startsWith('agents/chief.yaml:2:'))).toMatch(
      / \[included from agents\/editor\.yaml:3:13\] \[included from pipeline\.yaml:3:20\]$/,
    );
    expect(formatDiagnostics(diagnostics)).toContain('  included from agents/editor.yaml:3:13\n  included from pipeline.yaml:3:20\n');
  });

  it('keep control characters and line breaks of the source to themselves', () => {
    const text = 'name: p\nsteps:\n  - {id: a, run: "true", "x\\e[31m\\ny": 1}\n';
    const written = diagnosticLines(compilePipeline('pipeline.yaml', text, sources).diagnostics);
    expect(written.trimEnd().split('\n')).toHaveLength(1);
    expect([...written].every((char) => char === '\n' || (char.codePointAt(0) ?? 0) >= 32)).toBe(true);
  });

  it('read by the problem matcher that docs/editor.md gives', () => {
    const page = readFileSync(join(__dirname, '..', '..', 'docs', 'editor.md'), 'utf8');
    const written = /"regexp": (".*")/.exec(page)?.[1] ?? '""';
    const matcher = new RegExp(JSON.parse(written) as string);
    for (const [i, line] of lines.slice(0, -1).entries()) {
      const d = diagnostics[i];
      expect(matcher.exec(line)?.slice(1, 6)).toEqual([d?.file, String(d?.line), String(d?.column), d?.severity, d?.code]);
    }
  });
});
