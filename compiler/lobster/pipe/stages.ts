import type { Template } from '../../../plan/expressions/expression';
import { type KnownStage, STAGES, type Stage, type StageName } from '../../../plan/stages/stage';
import {
  DYNAMIC,
  FLAG_ALIASES,
  type NamedStage,
  STAGE_RULES,
  type StageArguments,
  type StageValue,
  stageNamed,
} from '../../../plan/stages/stage-rules';
import { type StageFlag, type StageWords, stageWords } from '../../../plan/stages/stage-words';
import type { DiagnosticCode } from '../../diagnostics/codes';
import { didYouMean } from '../../diagnostics/suggest';
import type { SyntaxFault } from '../../expression/lexer';
import { type PipeWord, pipeWords } from './words';

/**
 * Splits the text of a Lobster pipe into its stages, with words and flags checked as far as they are known before a run. Pure: places are
 * offsets in the text, and `templateOf` says what references mean.
 */
export interface StageFault extends SyntaxFault {
  code: Extract<DiagnosticCode, 'lobster.pipe-syntax' | 'lobster.unknown-stage' | 'lobster.bad-stage' | 'lobster.unknown-flag'>;
}

export interface ParsedPipe {
  /** As many as could be read: all of them if unknown flags were the only faults. */
  stages: Stage[];
  faults: StageFault[];
}

export function parseStages(pipe: string, templateOf: TemplateOf): ParsedPipe {
  const read = pipeWords(pipe);
  if (read.fault) return { stages: [], faults: [{ code: 'lobster.pipe-syntax', ...read.fault }] };
  const faults: StageFault[] = [];
  const stages = read.stages.flatMap(([name, ...rest]) => (name ? (stageOf(name, rest, templateOf, faults) ?? []) : []));
  return { stages, faults };
}

type TemplateOf = (text: string) => Template;

/** A stage that is named by a reference keeps its words as they are: only its name will say which of them are flags. */
function stageOf(name: PipeWord, rest: readonly PipeWord[], templateOf: TemplateOf, faults: StageFault[]): Stage | undefined {
  const named = templateOf(name.text);
  if (named.some((piece) => typeof piece !== 'string')) return { name: named, rest: rest.map(({ text }) => templateOf(text)) };
  const known = stageNamed(name.text);
  if (known) return knownStage(known, stageWords(name, rest, afterEquals), templateOf, faults);
  faults.push(unknownStage(name));
  return undefined;
}

function knownStage(
  { name, alias, flags: implied }: NamedStage,
  source: StageWords<PipeWord>,
  templateOf: TemplateOf,
  faults: StageFault[],
): KnownStage | undefined {
  const flags = knownFlags(name, source, faults);
  const stage: KnownStage = { name, words: source.words.map(({ text }) => templateOf(text)), flags: {} };
  if (alias) stage.alias = alias;
  for (const [flag, value] of Object.entries(implied)) stage.flags[flag] = [value];
  for (const [flag, { value }] of flags) stage.flags[flag] = value ? templateOf(value.text) : [];
  const complaint = STAGE_RULES[name].check?.(given(stage));
  if (!complaint) return stage;
  const { at, message } = complaint;
  const word = typeof at === 'number' ? source.words[at] : at === undefined ? source.name : (flags.get(at)?.value ?? flags.get(at)?.at);
  faults.push({ code: 'lobster.bad-stage', ...placeOf(word ?? source.name), message: message.replace(name, source.name.text) });
  return undefined;
}

function unknownStage(name: PipeWord): StageFault {
  const message = `Unknown command: ${name.text}`;
  const known = `known: ${STAGES.join(', ')}`;
  const place = { code: 'lobster.unknown-stage' as const, ...placeOf(name), message };
  if (/^(?:gog\.|email\.|gmail\.|recipes?\b|github\.|linkedin)/.test(name.text))
    return { ...place, hint: `recipes are not part of Thermidor: call the tool with \`exec\`; ${known}` };
  return { ...place, hint: didYouMean(name.text, STAGES, known) ?? known };
}

function afterEquals(word: PipeWord, equals: number): PipeWord {
  const text = word.text.slice(equals + 1);
  // If the word contains quotes, its end is still right and its start nearly so.
  return { text, start: Math.max(word.start, word.end - text.length), end: word.end };
}

/** Flags by their own spelling. A flag that the stage does not have is dropped, as Lobster does, and reported. */
function knownFlags(name: StageName, source: StageWords<PipeWord>, faults: StageFault[]): Map<string, StageFlag<PipeWord>> {
  const { flags: known } = STAGE_RULES[name];
  const hint = known.length === 0 ? `${name} takes no flags` : `${name} takes ${known.map((flag) => `--${flag}`).join(', ')}`;
  const found = new Map<string, StageFlag<PipeWord>>();
  for (const [written, flag] of source.flags) {
    const spelled = FLAG_ALIASES.get(written) ?? written;
    if (known.includes(spelled)) {
      found.set(spelled, flag);
      continue;
    }
    const message = `${name} has no flag --${written}: it is ignored`;
    faults.push({ code: 'lobster.unknown-flag', ...placeOf(flag.at), message, hint: didYouMean(written, known, hint) ?? hint });
  }
  for (const word of source.handedOn) {
    const message = `"${word.text}" goes to the command: Lobster takes it for a flag of exec and drops it`;
    faults.push({ code: 'lobster.unknown-flag', ...placeOf(word), message, hint: 'write the whole line as `exec --shell "…"`' });
  }
  return found;
}

function given(stage: KnownStage): StageArguments {
  const knownText = (template: Template): StageValue => {
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
