import { beginning } from '../../../plan/text/shortened';
import type { ProgramEvent, ProgramOutput } from './preset';
import type { RunningProgram } from './program';
import type { ProgramEnd, ProgramTrouble } from './program-failure';
import { lastJsonDocument, outputLinesOf, parseOutput, wholeOutput } from './program-output';

/** A running program's events, and its end. */
export interface ProgramReader {
  /** Events until it has ended. Fails with `output.too-large`. */
  events(): AsyncGenerator<ProgramEvent>;
  /** Available after the last event. */
  ending(): Promise<ProgramEnd>;
}

const LINGER_MS = 10_000;
const JUNK_LINES = 20;
const JUNK_CHARACTERS = 500;

export interface ReadOptions {
  /** Called at each sign of life. */
  alive(): void;
  /** Removes secrets from a text: half a secret cannot be recognised, so the reason of a failure is masked before it is cut. */
  mask(text: string): string;
  /** How long a program may continue after it has reported its end. @default 10000 */
  lingerMs?: number | undefined;
}

/**
 * Reads a running program. Output outside its protocol is kept as a hint at the cause of a failure, but is no failure by itself. A program
 * that has reported its end, or a fatal problem, and does not end, is ended; that is no failure of its either.
 */
export function readProgram(
  output: ProgramOutput,
  program: RunningProgram,
  { alive, mask, lingerMs = LINGER_MS }: ReadOptions,
): ProgramReader {
  // A program that reports only at its end reports its calls there.
  program.onStderr(alive);
  const troubles: ProgramTrouble[] = [];
  const junk: string[] = [];
  let isDone = false;
  let lingering: NodeJS.Timeout | undefined;
  let sentAway = false;

  function note(event: ProgramEvent): void {
    if (event.kind === 'trouble') troubles.push({ ...event, message: mask(event.message) });
    const isLast = event.kind === 'end' || (event.kind === 'trouble' && event.fatal === true);
    if (!isLast || isDone) return;
    isDone = true;
    lingering = setTimeout(() => {
      sentAway = true;
      // Its failure reaches the caller that waits for the program's exit.
      program.end().catch(() => undefined);
    }, lingerMs);
  }

  async function* values(): AsyncGenerator<readonly ProgramEvent[]> {
    if (output.kind === 'lines') {
      for await (const line of outputLinesOf(program.output())) {
        alive();
        const value = parseOutput(line);
        if (typeof value === 'object' && value !== null) yield output.events(value);
        else if (line.trim() !== '') keepJunk(line);
      }
      return;
    }
    const text = await wholeOutput(program.output(), alive);
    if (output.kind === 'text') {
      yield [{ kind: 'said', text: text.trim() }, { kind: 'end' }];
      return;
    }
    const value = lastJsonDocument(text);
    if (value !== undefined) yield output.events(value);
    else for (const line of text.trim().split('\n').slice(-JUNK_LINES)) keepJunk(line);
  }

  function keepJunk(line: string): void {
    junk.push(beginning(mask(line), JUNK_CHARACTERS));
    if (junk.length > JUNK_LINES) junk.shift();
  }

  return {
    async *events() {
      try {
        for await (const events of values()) {
          for (const event of events) {
            note(event);
            yield event;
          }
        }
      } finally {
        clearTimeout(lingering);
      }
    },
    async ending() {
      const exit = await program.ended;
      return { exit: sentAway ? { code: 0, signal: null } : exit, stderr: mask(program.stderr()), troubles, junk };
    },
  };
}
