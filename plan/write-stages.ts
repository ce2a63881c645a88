import type { Template } from './expression';
import { isLate, type Stage } from './stage';
import { writeTemplate } from './write-expression';

/** Stages of a pipe as they are written, divided by `|`. `text` writes a word that has references in it. */
export function describeStages(stages: readonly Stage[], text: (template: Template) => string = writeTemplate): string {
  return stages.map((stage) => describeStage(stage, text)).join(' | ');
}

function describeStage(stage: Stage, text: (template: Template) => string): string {
  if (isLate(stage)) return [stage.name, ...stage.rest].map((one) => quoted(text(one))).join(' ');
  const { name, words, flags } = stage;
  const options = Object.entries(flags).map(([flag, value]) => (value.length === 0 ? `--${flag}` : `--${flag} ${quoted(text(value))}`));
  return [name, ...options, ...words.map((one) => quoted(text(one)))].join(' ');
}

/** As it is where a pipe takes it so. */
function quoted(word: string): string {
  if (word !== '' && !/[\s|'"\\]/.test(word)) return word;
  return `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
