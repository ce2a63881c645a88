import { type ExpressionScope, render } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import { writeExpr } from '../../plan/expressions/write-expression';
import { ThermidorFailure } from '../../plan/run/failure';
import { SCRIPT_VARIABLE } from '../../plan/steps/value-length';
import { type ShellContext, ShellQuoting } from './shell-quoting';
import { checkLength } from './value-lengths';

/**
 * A `run:` command with its values. Each `${…}` becomes a variable of the command's environment, and the script refers to it as one quoted
 * word. Values are therefore never part of the script: in the author's quotes, in `$(…)` or in a here-document none can become code.
 * (Inserting quoted values into the script would fail inside the author's double quotes.)
 */
export interface ShellCommand {
  shell: string;
  env: Record<string, string>;
}

/** How a variable is written so that it stays one word in its context. */
const REFERENCE: Readonly<Record<Exclude<ShellContext, 'quoted-here'>, (variable: string) => string>> = {
  bare: (variable) => `"\${${variable}}"`,
  double: (variable) => `\${${variable}}`,
  single: (variable) => `'"\${${variable}}"'`,
  here: (variable) => `\${${variable}}`,
  comment: (variable) => variable,
  arithmetic: (variable) => `(\${${variable}})`,
};

export function shellCommand(template: Template, scope: ExpressionScope): ShellCommand {
  const quoting = new ShellQuoting();
  const env: Record<string, string> = {};
  let shell = '';
  for (const piece of template) {
    if (typeof piece === 'string') {
      quoting.text(piece);
      shell += piece;
      continue;
    }
    const context = quoting.context();
    if (context === 'quoted-here') {
      const hint = 'remove the quotes around its delimiter';
      throw new ThermidorFailure('command.failed', `a value cannot be put into a here-document whose delimiter is quoted; ${hint}`);
    }
    const variable = `${SCRIPT_VARIABLE}${Object.keys(env).length + 1}`;
    env[variable] = render([piece], scope);
    checkLength(`\${${writeExpr(piece)}} in "run"`, env[variable] ?? '', variable);
    if (context === 'arithmetic') requireWhole(env[variable]);
    quoting.value();
    shell += REFERENCE[context](variable);
  }
  checkLength('the script of "run"', shell);
  return { shell, env };
}

/** Some shells run the content of an arithmetic value, `a[$(…)]`; so it must be a number, and one that no shell reads as octal. */
function requireWhole(value: string | undefined): void {
  if (value !== undefined && /^-?(?:0|[1-9]\d*)$/.test(value)) return;
  const hint = 'if you mean a subshell and not arithmetic, write a space between the two parentheses';
  throw new ThermidorFailure('command.failed', `a value in $((…)) must be a whole number; ${hint}`);
}
