import { stripVTControlCharacters } from 'node:util';
import { type FailureCode, ThermidorFailure } from '../../../plan/run/failure';
import type { Mask } from '../../../plan/text/masker';
import { ending } from '../../../plan/text/shortened';
import type { Exit } from '../processes/process-group';
import type { ProgramEvent, ProgramPreset } from './preset';

export type ProgramTrouble = Extract<ProgramEvent, { kind: 'trouble' }>;

/** How a program's run came to its end. */
export interface ProgramEnd {
  exit: Exit;
  stderr: string;
  troubles: readonly ProgramTrouble[];
  /** The last lines of its output that are not of its protocol. */
  junk: readonly string[];
}

/** Words by which programs and their services report failures that are not the program's own. Used only if it has failed. */
const SIGNS: readonly (readonly [FailureCode, RegExp])[] = [
  [
    'model.unauthorized',
    /\b(?:401|403)\b|authentication[_ ](?:failed|error)|invalid (?:x-)?api[ -]key|api key not valid|no api key found|not logged in|please run \/login|unauthorized/i,
  ],
  [
    'model.overloaded',
    /\b(?:429|529)\b|rate[_ -]?limit|overloaded|resource[_ ]exhausted|too many requests|(?:usage|session) limit|quota exceeded/i,
  ],
  [
    'model.context-length',
    /context[_ ]length[_ ]exceeded|prompt is too long|context window|maximum context length|input token count .*exceeds/i,
  ],
  ['model.bad-request', /model_not_found|\bmodel\b.{0,100}\b(?:does not exist|is not found|not supported)/i],
  ['model.refused', /content[_ ]filter|usage polic(?:y|ies)|prohibited[_ ]content|blocked by safety/i],
  ['model.api-error', /\b(?:500|502|503|504)\b.*(?:error|unavailable|gateway)|internal server error|stream (?:error|disconnected)/i],
];

const TOLD_LINES = 3;
const TOLD_CHARACTERS = 2000;

/** A program's failure, or undefined if it did not fail. `replied`: it has given the requested reply. */
export function programFailure(
  agent: string,
  preset: Pick<ProgramPreset, 'name' | 'exitCodes'>,
  { exit, stderr, troubles, junk }: ProgramEnd,
  replied: boolean,
  nowMs: number,
  mask: Mask = (text) => text,
): ThermidorFailure | undefined {
  const fatal = troubles.findLast((trouble) => trouble.fatal);
  if (!fatal && exit.code === 0 && replied) return undefined;
  const coded = fatal?.code ? fatal : troubles.findLast(({ code }) => code !== undefined);
  const said = [fatal?.message ?? troubles.at(-1)?.message, stderr.trim() === '' ? junk.join('\n') : stderr].map((text) =>
    mask(stripVTControlCharacters(text ?? '')).trim(),
  );
  const code = coded?.code ?? preset.exitCodes?.[exit.code ?? -1] ?? signOf(said) ?? 'agent.failed';
  const reason = said.map(lastLines).find((text) => text !== '');
  const message = `the ${preset.name} program of agent "${agent}" ${howOf(exit, fatal !== undefined)}${reason === undefined ? '' : `: ${reason}`}`;
  const details = { exitCode: exit.code, signal: exit.signal, stderr: ending(mask(stripVTControlCharacters(stderr)), TOLD_CHARACTERS) };
  const retry = code === 'model.overloaded' ? retryAfterMs(troubles, said.join('\n'), nowMs) : undefined;
  return new ThermidorFailure(code, message, details, retry);
}

function howOf({ code, signal }: Exit, failed: boolean): string {
  if (code === null) return `was ended by ${signal ?? 'a signal'}`;
  if (code !== 0) return `ended with exit code ${code}`;
  return failed ? 'failed' : 'ended without a reply';
}

function signOf(texts: readonly string[]): FailureCode | undefined {
  for (const text of texts) {
    const sign = SIGNS.find(([, words]) => words.test(text));
    if (sign) return sign[0];
  }
  return undefined;
}

function lastLines(text: string): string {
  return ending(text.split('\n').slice(-TOLD_LINES).join('\n'), TOLD_CHARACTERS);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** When it may be tried again, if the program or the service says so. */
function retryAfterMs(troubles: readonly ProgramTrouble[], text: string, nowMs: number): number | undefined {
  const at = troubles.findLast(({ retryAtMs }) => retryAtMs !== undefined)?.retryAtMs;
  if (at !== undefined) return Math.max(0, Math.round(at - nowMs));
  const header = /(?:retry[- ]after|resets_in_seconds)"?[:= ]+(\d+(?:\.\d+)?)/i.exec(text);
  if (header?.[1] !== undefined) return Math.round(Number(header[1]) * 1000);
  const words = /(?:try again|retry|reset) (?:in|after) (\d+(?:\.\d+)?) ?(ms|s|m|h)/i.exec(text);
  return words?.[1] === undefined ? undefined : Math.round(Number(words[1]) * (UNITS[words[2]?.toLowerCase() ?? ''] ?? 1000));
}
