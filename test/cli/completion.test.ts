import { execFileSync } from 'node:child_process';
import { CATALOGUE, NOUNS } from '../../cli/catalogue/index';
import { completionScript } from '../../cli/completion/shell-scripts';

interface Tab {
  /** The body of a shell function that stands in for the program. */
  program?: string;
  /** The line up to the cursor, if it is more than the words with blanks between them. */
  line?: string;
}

/** The completions of bash for a line, and its own output, which must be empty. */
function press(words: readonly string[], { program = 'return 1', line = words.join(' ') }: Tab = {}): { found: string[]; printed: string } {
  const script = `${completionScript('bash', CATALOGUE, NOUNS)}
thermidor() { ${program}
}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; COMP_LINE=${quoted(line)}; COMP_POINT=\${#COMP_LINE}
_thermidor thermidor; echo ---; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const [printed = '', found = ''] = execFileSync('bash', ['-c', `{ ${script}\n} 2>&1`], { encoding: 'utf8' }).split('---\n');
  return { found: found.split('\n').filter(Boolean), printed };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const complete = (...words: string[]): string[] => press(words).found;

test('bash completes commands, verbs, options and the choices of options', () => {
  expect(complete('thermidor', 'va')).toEqual(['validate']);
  expect(complete('thermidor', 'schedule', 'p')).toEqual(['pause']);
  expect(complete('thermidor', 'schedule', 'apply', '--pr')).toEqual(['--prune']);
  expect(complete('thermidor', 'run', 'x.yaml', '--scr')).toContain('--script');
  expect(complete('thermidor', 'list', '--state', 'wai')).toEqual(['waiting']);
  expect(complete('thermidor', 'completion', 'f')).toEqual(['fish']);
});

test('bash completes files if a file or a pipeline is named, and nothing if nobody can guess', () => {
  expect(complete('thermidor', 'validate', 'package.js')).toEqual(['package.json']);
  expect(complete('thermidor', 'run', 'package.js')).toEqual(['package.json']);
  expect(complete('thermidor', 'status', 'x', '--state-dir', 'node_mod')).toEqual(['node_modules']);
  expect(complete('thermidor', 'approve', 'x', '--comment', '')).toEqual([]);
});

test.each([
  ['an argument', ['thermidor', 'status', 'gat']],
  ['the value of an option', ['thermidor', 'approve', 'x', '--by', 'al']],
  ['a second argument', ['thermidor', 'show', 'x', '']],
])('names are asked of the program, with the line up to the cursor: %s', (_, words) => {
  const { found, printed } = press(words, { program: `printf '%s\\n' "$1" "$2" "$4"` });
  expect(printed).toBe('');
  expect(found).toEqual(['__complete', 'bash', words.join(' ')]);
});

test('names keep their blanks and marks; nothing in them is a pattern or a command', () => {
  const { found } = press(['thermidor', 'status', ''], { program: `printf '%s\\n' 'a\\ b' '*' '$(echo no)' '07:30'` });
  expect(found).toEqual(['a\\ b', '*', '$(echo no)', '07:30']);
});

test('the word is the whole of it if bash cuts it at a colon or an equals sign', () => {
  const { found } = press(['thermidor', 'approve', 'x', '--by', '=', 'al'], {
    line: 'thermidor approve x --by=al',
    program: 'echo "$4"',
  });
  expect(found).toEqual(['thermidor approve x --by=al']);
});

test.each(['echo oops >&2; return 1', 'echo oops >&2; return 0'])('an error never gets into the line that is typed: %s', (program) => {
  expect(press(['thermidor', 'status', ''], { program })).toEqual({ found: [], printed: '' });
});

test.each(['bash', 'zsh', 'fish'] as const)('the script for %s knows every command, and asks for names in its own way', (shell) => {
  const script = completionScript(shell, CATALOGUE, NOUNS);
  for (const { name } of CATALOGUE) for (const word of name.split(' ')) expect(script).toContain(word);
  expect(script).toContain(`__complete ${shell} `);
});
