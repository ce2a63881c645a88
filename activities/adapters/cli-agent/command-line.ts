import type { ProgramSpec } from '../../../plan/agents/adapter';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { Authority, ProgramPreset } from './preset';
import { commandOf } from './presets';
import type { KnownSession } from './session';

/** The limit of one word of a command line: Linux accepts 128 KiB, the end mark included. */
const ARGUMENT_BYTES = 128 * 1024 - 1;

export interface PromptOnCommandLine {
  model?: string;
  system: string;
  prompt: string;
  /** The session to continue. Absent: a new one begins. */
  session?: KnownSession;
  /** The id for a new session, if it is ours to choose. */
  own: string;
  authority: Authority;
  /** The folder of the authority's files. */
  files: string;
}

/** The words of a program, and its stdin. Fails with `model.context-length` if a word is longer than the system accepts. */
export function commandLine(preset: ProgramPreset, spec: ProgramSpec, say: PromptOnCommandLine): { argv: string[]; stdin: string } {
  const { session, authority } = say;
  const asFlag = preset.systemFlag !== undefined && bytes(say.system) <= ARGUMENT_BYTES;
  // A resumed session has all of it already, except flags, which no session keeps.
  const text = asFlag || session !== undefined ? say.prompt : `${say.system}\n\n${say.prompt}`;
  const byArgument = (spec.prompt ?? preset.prompt) === 'argument';
  const argv = [
    ...commandOf(preset, spec),
    ...preset.flags,
    ...authority.flags.map((flag) => flag.replace('{files}', say.files)),
    ...(preset.modelFlag !== undefined && say.model !== undefined ? [preset.modelFlag, say.model] : []),
    ...(asFlag && preset.systemFlag !== undefined ? [preset.systemFlag, say.system] : []),
    ...(spec.args ?? []),
    ...sessionWords(preset, say),
    ...(byArgument ? [promptWord(preset, text)] : preset.stdinMark === undefined ? [] : [preset.stdinMark]),
  ];
  const long = argv.find((word) => bytes(word) > ARGUMENT_BYTES);
  if (long !== undefined) {
    const hint = preset.promptFlag === undefined ? '; `prompt: stdin` has no such limit' : '';
    throw new ThermidorFailure(
      'model.context-length',
      `the prompt for the agent's program has ${bytes(long)} bytes, and an argument of a command line may have at most ${ARGUMENT_BYTES}${hint}`,
      { sizeBytes: bytes(long), limitBytes: ARGUMENT_BYTES },
    );
  }
  return { argv, stdin: byArgument ? '' : text };
}

function sessionWords({ begin, resume, fork }: ProgramPreset, { session, own }: PromptOnCommandLine): readonly string[] {
  if (session === undefined) return begin?.(own) ?? [];
  return (session.copied ? fork : resume)?.(session.id) ?? [];
}

/** A prompt that begins with a dash is no flag. */
function promptWord({ promptFlag }: ProgramPreset, prompt: string): string {
  if (promptFlag !== undefined) return `${promptFlag}${prompt}`;
  return prompt.startsWith('-') ? `\n${prompt}` : prompt;
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}
