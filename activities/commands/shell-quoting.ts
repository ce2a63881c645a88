/**
 * Follows the quoting of a shell script as far as it takes to know the context of a `${…}` of the author's: bare, in
 * quotes, in a here-document, in arithmetic. It never sees values.
 *
 * A mistake here can cost a value its quotes, never turn it into code: values reach the shell as variables
 * (shell-template.ts).
 */
export type ShellContext = 'bare' | 'single' | 'double' | 'comment' | 'here' | 'quoted-here' | 'arithmetic';

type Frame = Exclude<ShellContext, 'bare'> | 'top' | 'paren' | 'backtick' | 'arithmetic-paren';

interface HereDocument {
  delimiter: string;
  quoted: boolean;
  stripTabs: boolean;
}

const HERE = /^<<(-?)[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([A-Za-z0-9_]+))/;
const BACKSLASHED = /^<<-?[ \t]*\\/;

export class ShellQuoting {
  private readonly frames: Frame[] = ['top'];
  private readonly announced: HereDocument[] = [];
  /** The line so far; a value in it is written as NUL, so that it is never taken for a delimiter. */
  private line = '';

  context(): ShellContext {
    const frame = this.frames.at(-1) ?? 'top';
    if (frame === 'arithmetic-paren') return 'arithmetic';
    return frame === 'top' || frame === 'paren' || frame === 'backtick' ? 'bare' : frame;
  }

  /** A value is here. */
  value(): void {
    this.line += '\0';
  }

  /** The author's own text. */
  text(script: string): void {
    for (let i = 0; i < script.length; ) i += this.step(script, i);
  }

  /** Reads at `i` and returns how many characters it consumed. */
  private step(script: string, i: number): number {
    const character = script[i] ?? '';
    const frame = this.frames.at(-1) ?? 'top';
    if (character === '\n') return this.endLine(frame);
    this.line += character;
    switch (frame) {
      case 'here':
      case 'quoted-here':
      case 'comment':
        return 1;
      case 'single':
        if (character === "'") this.frames.pop();
        return 1;
      case 'double':
        return this.inDouble(character, script.slice(i + 1, i + 3));
      case 'arithmetic':
      case 'arithmetic-paren':
        return this.inArithmetic(frame, character, script.slice(i + 1, i + 3));
      default:
        return this.inBare(frame, character, script, i);
    }
  }

  private inDouble(character: string, next: string): number {
    if (character === '\\') return 2;
    if (character === '"') this.frames.pop();
    else if (character === '`') this.frames.push('backtick');
    else if (character === '$' && next.startsWith('(')) return this.substitution(next);
    return 1;
  }

  /** `$(`, or `$((`: of the two meanings of that, a script's author means arithmetic. */
  private substitution(next: string): number {
    const opened = next === '((' ? 2 : 1;
    this.frames.push(opened === 2 ? 'arithmetic' : 'paren');
    this.line += next.slice(0, opened);
    return opened + 1;
  }

  private inArithmetic(frame: Frame, character: string, next: string): number {
    if (character === '$' && next.startsWith('(')) return this.substitution(next);
    if (character === '(') this.frames.push('arithmetic-paren');
    else if (character === ')' && frame === 'arithmetic-paren') this.frames.pop();
    else if (character === ')') {
      this.frames.pop();
      if (next.startsWith(')')) return 2;
      // It was a subshell within `$( )` after all.
      this.frames.push('paren');
    }
    return 1;
  }

  private inBare(frame: Frame, character: string, script: string, i: number): number {
    if (character === '\\') return 2;
    // `((` by itself is arithmetic in some shells.
    if (script.startsWith('((', i)) return this.substitution('((') - 1;
    if (character === "'") this.frames.push('single');
    else if (character === '"') this.frames.push('double');
    else if (character === '$' && script[i + 1] === '(') return this.substitution(script.slice(i + 1, i + 3));
    else if (character === '(') this.frames.push('paren');
    else if (character === ')' && frame === 'paren') this.frames.pop();
    else if (character === '`') frame === 'backtick' ? this.frames.pop() : this.frames.push('backtick');
    else if (character === '#' && /(?:^|[\s;&|(`])#$/.test(this.line)) this.frames.push('comment');
    else if (character === '<') return this.announce(script.slice(i, i + 200));
    return 1;
  }

  private announce(rest: string): number {
    const found = HERE.exec(rest);
    if (!found || rest.startsWith('<<<')) return 1;
    const [whole, dash, single, double, bare] = found;
    const quoted = bare === undefined || BACKSLASHED.test(whole);
    this.announced.push({ delimiter: single ?? double ?? bare ?? '', quoted, stripTabs: dash === '-' });
    this.line += whole.slice(1);
    return whole.length;
  }

  private endLine(frame: Frame): number {
    const { line } = this;
    this.line = '';
    if (frame === 'comment') this.frames.pop();
    const open = this.announced[0];
    if ((frame === 'here' || frame === 'quoted-here') && open) {
      if ((open.stripTabs ? line.replace(/^\t+/, '') : line) !== open.delimiter) return 1;
      this.frames.pop();
      this.announced.shift();
    }
    const next = this.announced[0];
    if (next && this.context() === 'bare') this.frames.push(next.quoted ? 'quoted-here' : 'here');
    return 1;
  }
}
