import type { Template } from '../../../plan/expression';
import { STAGES, type Stage, type StageName } from '../../../plan/stage';
import type { DiagnosticCode } from '../../diagnostics/codes';
import { didYouMean } from '../../diagnostics/suggest';
import { type StageFlag, type StageWords, stageWords } from './flags';
import { DYNAMIC, FLAG_ALIASES, type Given, STAGE_ALIASES, STAGE_RULES, type Value } from './stage-rules';
import { type PipeWord, pipeWords } from './words';

/**
 * The text of a Lobster pipe → its stages, words and flags checked as far as they are known before a run. Pure: places are
 * offsets in the text, and what references mean is the caller's (`templateOf`).
 */
export interface StageFault {
  code: Extract<DiagnosticCode, 'lobster.pipe-syntax' | 'lobster.unknown-stage' | 'lobster.bad-stage' | 'lobster.unknown-flag'>;
  start: number;
  end: number;
  message: string;
  hint?: string;
}

export interface ParsedPipe {
  /** As many as could be read: all of them where no fault but unknown flags was found. */
  stages: Stage[];
  faults: StageFault[];
}

export function parseStages(pipe: string, templateOf: (text: string) => Template): ParsedPipe {
  const read = pipeWords(pipe);
  if (read.fault) return { stages: [], faults: [{ code: 'lobster.pipe-syntax', ...read.fault }] };
  const faults: StageFault[] = [];
  const stages = read.stages.flatMap(([name, ...rest]) => (name ? (stageOf(stageWords(name, rest), templateOf, faults) ?? []) : []));
  return { stages, faults };
}

function stageOf(source: StageWords, templateOf: (text: string) => Template, faults: StageFault[]): Stage | undefined {
  const alias = STAGE_ALIASES.get(source.name.text);
  const name = alias?.name ?? STAGES.find((known) => known === source.name.text);
  if (name === undefined) {
    faults.push(unknownStage(source.name, templateOf));
    return undefined;
  }
  const flags = knownFlags(name, source, faults);
  const stage: Stage = { name, words: source.words.map(({ text }) => templateOf(text)), flags: {} };
  if (source.name.text === 'llm_task.invoke' || source.name.text === 'clawd.invoke') stage.alias = source.name.text;
  for (const [flag, value] of Object.entries(alias?.flags ?? {})) stage.flags[flag] = [value];
  for (const [flag, { value }] of flags) stage.flags[flag] = value ? templateOf(value.text) : [];
  const complaint = STAGE_RULES[name].check?.(given(stage));
  if (!complaint) return stage;
  const { at, message } = complaint;
  const word = typeof at === 'number' ? source.words[at] : at === undefined ? source.name : (flags.get(at)?.value ?? flags.get(at)?.at);
  faults.push({ code: 'lobster.bad-stage', ...placeOf(word ?? source.name), message: message.replace(name, source.name.text) });
  return undefined;
}

function unknownStage(name: PipeWord, templateOf: (text: string) => Template): StageFault {
  const message = `Unknown command: ${name.text}`;
  const known = `known: ${STAGES.join(', ')}`;
  const place = { code: 'lobster.unknown-stage' as const, ...placeOf(name), message };
  if (templateOf(name.text).some((piece) => typeof piece !== 'string'))
    return { ...place, hint: 'the name of a stage must stand in the file' };
  if (/^(?:gog\.|email\.|gmail\.|recipes?\b|github\.|linkedin)/.test(name.text))
    return { ...place, hint: `recipes are not part of Thermidor: call the tool with \`exec\`; ${known}` };
  return { ...place, hint: didYouMean(name.text, STAGES, known) ?? known };
}

/** Flags by their own spelling. One that the stage does not have is dropped, as Lobster does, and said so. */
function knownFlags(name: StageName, source: StageWords, faults: StageFault[]): Map<string, StageFlag> {
  const { flags: known } = STAGE_RULES[name];
  const hint = known.length === 0 ? `${name} takes no flags` : `${name} takes ${known.map((flag) => `--${flag}`).join(', ')}`;
  const found = new Map<string, StageFlag>();
  for (const [written, flag] of source.flags) {
    const spelled = FLAG_ALIASES.get(written) ?? written;
    if (known.includes(spelled)) {
      found.set(spelled, flag);
      continue;
    }
    const message = `${name} has no flag --${written}: it is passed over`;
    faults.push({ code: 'lobster.unknown-flag', ...placeOf(flag.at), message, hint: didYouMean(written, known, hint) ?? hint });
  }
  for (const word of source.handedOn) {
    const message = `"${word.text}" goes to the command: Lobster takes it for a flag of exec and drops it`;
    faults.push({ code: 'lobster.unknown-flag', ...placeOf(word), message, hint: 'write the whole line as `exec --shell "…"`' });
  }
  return found;
}

function given(stage: Stage): Given {
  const knownText = (template: Template): Value => {
    const [only = ''] = template;
    return template.length <= 1 && typeof only === 'string' ? only : DYNAMIC;
  };
  return {
    words: stage.words.map(knownText),
    flag: (name) => {
      const template = Object.hasOwn(stage.flags, name) ? stage.flags[name] : undefined;
      if (!template) return undefined;
      return template.length === 0 ? true : knownText(template);
    },
  };
}

function placeOf({ start, end }: PipeWord): { start: number; end: number } {
  return { start, end };
}
