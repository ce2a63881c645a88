import { PassThrough } from 'node:stream';
import { createColors } from 'picocolors';
import type { Terminal } from '../../cli/terminal';

/** A terminal that keeps what is written to it. */
export interface FakeTerminal extends Terminal {
  written: { out: string; err: string };
}

export function fakeTerminal(over: Partial<Terminal> = {}): FakeTerminal {
  const written = { out: '', err: '' };
  return {
    cwd: process.cwd(),
    env: {},
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    logOut: (text) => {
      written.out += text;
      return true;
    },
    logErr: (text) => {
      written.err += text;
      return true;
    },
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    interactive: false,
    live: false,
    colors: createColors(false),
    columns: () => 120,
    rows: () => 40,
    interrupted: new AbortController().signal,
    ...over,
    written,
  };
}
