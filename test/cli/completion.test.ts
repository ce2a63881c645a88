import { execFileSync } from 'node:child_process';
import { CATALOGUE, NOUNS } from '../../cli/catalogue/index';
import { completionScript } from '../../cli/completion';

/** What bash completes a line to. */
function complete(...words: string[]): string[] {
  const script = `${completionScript('bash', CATALOGUE, NOUNS)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _thermidor; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\n').filter(Boolean);
}

test('bash completes commands, verbs, options and the choices of options', () => {
  expect(complete('thermidor', 'va')).toEqual(['validate']);
  expect(complete('thermidor', 'schedule', 'p')).toEqual(['pause']);
  expect(complete('thermidor', 'schedule', 'apply', '--pr')).toEqual(['--prune']);
  expect(complete('thermidor', 'run', 'x.yaml', '--scr')).toContain('--script');
  expect(complete('thermidor', 'list', '--state', 'wai')).toEqual(['waiting']);
  expect(complete('thermidor', 'completion', 'f')).toEqual(['fish']);
});

test.each(['bash', 'zsh', 'fish'] as const)('the script for %s knows every command', (shell) => {
  const script = completionScript(shell, CATALOGUE, NOUNS);
  for (const { name } of CATALOGUE) for (const word of name.split(' ')) expect(script).toContain(word);
});
