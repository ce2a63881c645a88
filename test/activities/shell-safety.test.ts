import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { shellCommand } from '../../activities/commands/shell-template';
import type { Template } from '../../plan/expressions/expression';
import { failureOf, literal, NO_SCOPE, scratchFolder } from './workshop';

/**
 * The strict dialect's promise: a `${…}` in `run:` is one quoted word, and its value never becomes code. Tested with `/bin/sh` itself:
 * every value is put into every context in which an author can put one, and the words that a command gets are compared with the expected
 * ones. A value that ran as code would leave a file.
 */

const runner = new GroupProcessRunner();
const never = new AbortController().signal;

async function sh(template: Template, cwd: string): Promise<string> {
  const { shell, env } = shellCommand(template, NO_SCOPE);
  return (await runner.run({ command: { shell }, env, cwd, outputLimitBytes: 1_000_000 }, never)).stdout;
}

/** `${…}` as the shell's own. */
function braced(name: string): string {
  return `\${${name}}`;
}

/** Values that would make the file `pwned` in the command's folder if any part of them ran. */
const HOSTILE = [
  '$(touch pwned)',
  '`touch pwned`',
  '"$(touch pwned)"',
  '"`touch pwned`"',
  "'$(touch pwned)'",
  '"; touch pwned; "',
  "'; touch pwned; '",
  `'"'"'; touch pwned; '"'"'`,
  '\\"; touch pwned; \\"',
  "\\'; touch pwned; \\'",
  '; touch pwned',
  '| touch pwned',
  '& touch pwned &',
  '&& touch pwned',
  '|| touch pwned',
  '\ntouch pwned\n',
  '\r\ntouch pwned\r\n',
  '> pwned',
  '>pwned',
  '< /dev/null > pwned',
  '$((1)) $(touch pwned)',
  '$(($(touch pwned)1))',
  braced('x:-$(touch pwned)'),
  braced('x:=`touch pwned`'),
  braced('THERMIDOR_VALUE_1:-$(touch pwned)'),
  'x=$(touch pwned)',
  ') ; touch pwned ; (',
  '} ; touch pwned ; {',
  ';; esac; touch pwned; case x in x)',
  '\nEOF\ntouch pwned\ncat <<EOF\n',
  'EOF\ntouch pwned',
  '# x\ntouch pwned',
  '\\\ntouch pwned',
  '!! !$ touch pwned',
];

/** Values that would be more than one word, none, or another one, if they were not quoted. */
const AWKWARD = [
  '',
  ' ',
  '  two  words  ',
  '\t',
  '*',
  '? [a-z] ~',
  '~',
  '-n',
  '-e',
  '--',
  '--help',
  '-',
  '\\',
  '\\\\',
  '\\n',
  '%s %d %%',
  `$HOME ${braced('HOME')} $$ $1 $@ $*`,
  'a\n\nb\n\n\n',
  "it's",
  '"',
  "'",
  '`',
  '$',
  '$(',
  '${',
  '!',
  '#',
  '=',
  'ä€😀',
  '\u0007\u001b[31m',
];

const ALL = [...HOSTILE, ...AWKWARD];

type Context = [name: string, template: (value: Template[number]) => Template, expected: (value: string) => string];

const CONTEXTS: Context[] = [
  ['a bare word', (v) => ["printf '<%s>' ", v], (v) => `<${v}>`],
  ['part of a word', (v) => ["printf '<%s>' --flag=", v, '.txt'], (v) => `<--flag=${v}.txt>`],
  ['twice in a word', (v) => ["printf '<%s>' ", v, v], (v) => `<${v}${v}>`],
  ['double quotes', (v) => ["printf '<%s>' \"", v, '"'], (v) => `<${v}>`],
  ['text in double quotes', (v) => ["printf '<%s>' \"a ", v, ' $(printf b) c"'], (v) => `<a ${v} b c>`],
  ['double quotes after an escape', (v) => ['printf \'<%s>\' "\\"\\$\\\\', v, '"'], (v) => `<"$\\${v}>`],
  ['single quotes', (v) => ["printf '<%s>' '", v, "'"], (v) => `<${v}>`],
  ['single quotes with a double one', (v) => ["printf '<%s>' '\"", v, '" `x` $y\''], (v) => `<"${v}" \`x\` $y>`],
  ['both kinds of quotes in one word', (v) => ["printf '<%s>' \"a\"'b'", v, '\'c\'"d"'], (v) => `<ab${v}cd>`],
  ['$( )', (v) => ["printf '<%s>' \"$(printf '%s.' ", v, ')"'], (v) => `<${v}.>`],
  ['double quotes in $( ) in double quotes', (v) => ["printf '<%s>' \"$(printf '%s.' \"", v, '")"'], (v) => `<${v}.>`],
  ['single quotes in $( )', (v) => ["printf '<%s>' \"$(printf '%s.' '", v, '\')"'], (v) => `<${v}.>`],
  ['$( ) in $( )', (v) => ["printf '<%s>' \"$(printf '%s' \"$(printf '%s.' ", v, ')")"'], (v) => `<${v}.>`],
  ['back-ticks', (v) => ["printf '<%s>' \"`printf '%s.' ", v, '`"'], (v) => `<${v}.>`],
  ['an assignment', (v) => ['x=', v, '; printf \'<%s>\' "$x"'], (v) => `<${v}>`],
  ['an assignment before a command', (v) => ['x=', v, ' sh -c \'printf "<%s>" "$x"\''], (v) => `<${v}>`],
  ['a for list', (v) => ['for x in a ', v, '; do printf \'<%s>\' "$x"; done'], (v) => `<a><${v}>`],
  ['a function’s argument', (v) => ['f() { printf \'<%s>\' "$@"; }; f ', v, ' z'], (v) => `<${v}><z>`],
  ['a subshell', (v) => ["(printf '<%s>' ", v, ')'], (v) => `<${v}>`],
  ['a condition', (v) => ['if test ', v, ' = ', v, '; then printf same; else printf other; fi'], () => 'same'],
  ['a default in double quotes', (v) => ["printf '<%s>' \"${none:-", v, '}"'], (v) => `<${v}>`],
  ['a pipe’s second command', (v) => ["printf x | { cat; printf '<%s>' ", v, '; }'], (v) => `x<${v}>`],
  ['a here-document', (v) => ['cat <<EOF\n[', v, ']\nEOF\nprintf end'], (v) => `[${v}]\nend`],
  ['a here-document with tabs', (v) => ['cat <<-EOF\n\t[', v, ']\n\tEOF\nprintf end'], (v) => `[${v}]\nend`],
  ['a here-document of its own line', (v) => ['cat <<EOF\n', v, '\nEOF\nprintf end'], (v) => `${v}\nend`],
  ['behind a here-document', (v) => ["cat <<'EOF'\nit's \"$(x)\nEOF\nprintf '<%s>' ", v], (v) => `it's "$(x)\n<${v}>`],
  ['the line of a here-document', (v) => ["{ cat; printf '<%s>' ", v, '; } <<EOF\nbody\nEOF\n'], (v) => `body\n<${v}>`],
  ['behind a comment with a quote', (v) => ["# don't \"\nprintf '<%s>' ", v], (v) => `<${v}>`],
  ['behind a # that is no comment', (v) => ["printf '<%s>' a#'b' ", v], (v) => `<a#b><${v}>`],
  ['behind a comment in $( )', (v) => ["printf '<%s>' \"$(# don't\nprintf '%s.' ", v, ')"'], (v) => `<${v}.>`],
  ['behind an escaped line break', (v) => ["printf '<%s>' \\\n", v], (v) => `<${v}>`],
  ['a case', (v) => ['case ', v, ' in ', v, ') printf same;; *) printf other;; esac'], () => 'same'],
];

describe('a value in a `run:` of the strict dialect', () => {
  test.each(CONTEXTS)('is one word and never code: %s', async (_, template, expected) => {
    const cwd = scratchFolder();
    // One shell for all values of a context: each one's output ends where the next begins.
    const script = ALL.flatMap((value, i): Template => [...(i > 0 ? [`\nprintf '\\001'\n`] : []), ...template(literal(value))]);
    const words = (await sh(script, cwd)).split('\u0001');
    expect(words).toEqual(ALL.map(expected));
    expect(existsSync(join(cwd, 'pwned'))).toBe(false);
  });

  test('is never code in a comment, nor does it end it', async () => {
    const cwd = scratchFolder();
    const script = ALL.flatMap((value): Template => ['# ', literal(value), '\n']);
    expect(await sh([...script, 'printf ok'], cwd)).toBe('ok');
    expect(existsSync(join(cwd, 'pwned'))).toBe(false);
  });

  test('is refused if the author’s quotes would keep it from being one', async () => {
    for (const delimiter of ["'EOF'", '"EOF"', '\\EOF']) {
      const refused = await failureOf(sh([`cat <<${delimiter}\n`, literal('x'), '\nEOF\n'], scratchFolder()));
      expect(refused.code).toBe('command.failed');
    }
  });

  test('is a whole number in arithmetic, and nothing else: some shells would run it', async () => {
    const cwd = scratchFolder();
    const double = (value: Template[number]): Template => ['printf %s "$((2 * (1 - ', value, ')))" $((', value, ' + 1)) ', literal('a b')];
    expect(await sh(double(literal(-3)), cwd)).toBe('8-2a b');
    expect(await sh(double(literal('7')), cwd)).toBe('-128a b');
    for (const value of [...ALL, 'a[$(touch pwned)]', 'x', '010', '0x10', '1.5', '1e3', null]) {
      expect((await failureOf(sh(double(literal(value)), cwd))).code).toBe('command.failed');
      expect((await failureOf(sh(['((', literal(value), '))'], cwd))).code).toBe('command.failed');
    }
    expect(existsSync(join(cwd, 'pwned'))).toBe(false);
  });

  test('is a word again after arithmetic, and in a substitution within it', async () => {
    const cwd = scratchFolder();
    const value = literal("it's $(touch pwned)");
    expect(await sh(["printf '%s|' $((1 + 1)) ", value, " $(( $(printf %s '", value, "' >/dev/null; printf 3) ))"], cwd)).toBe(
      "2|it's $(touch pwned)|3|",
    );
    // Dash takes no subshell there; shells that do get a word.
    const { shell } = shellCommand(['echo $((printf x); printf ', value, ')'], NO_SCOPE);
    expect(shell).toBe('echo $((printf x); printf "$THERMIDOR_VALUE_1")'.replace('$THERMIDOR_VALUE_1', braced('THERMIDOR_VALUE_1')));
    expect(existsSync(join(cwd, 'pwned'))).toBe(false);
  });

  test('keeps leading dashes if the author ends the options, as with any word', async () => {
    const cwd = scratchFolder();
    await sh(['touch -- ', literal('-rf')], cwd);
    expect(existsSync(join(cwd, '-rf'))).toBe(true);
  });
});
