import type { CliPreset, ProgramSpec } from '../../../plan/agents/adapter';
import { CLAUDE } from './claude';
import { CODEX } from './codex';
import { GEMINI } from './gemini';
import { OPENCLAW } from './openclaw';
import type { ProgramPreset } from './preset';
import { templatePreset } from './template';

/** The known programs. Adding one takes a file, one for its stream, and a row. */
export const PRESETS: Readonly<Record<CliPreset, ProgramPreset>> = { claude: CLAUDE, codex: CODEX, gemini: GEMINI, openclaw: OPENCLAW };

/** How the program of a setting is run. */
export function presetOf(name: string, spec: ProgramSpec): ProgramPreset {
  return spec.preset === undefined ? templatePreset(name, spec) : PRESETS[spec.preset];
}

/** The program and its first words. */
export function commandOf(preset: ProgramPreset, { command }: ProgramSpec): readonly string[] {
  return command !== undefined && command.length > 0 ? command : preset.command;
}
