import type { ProgramSpec } from '../../../plan/agents/adapter';
import type { ProgramPreset } from './preset';
import { templateEvents } from './template-output';

/**
 * A custom program: it gets the role and the task, and its output is the reply. Its tools cannot be limited, and its tool use is not
 * visible: its owner answers for that. It has no sessions, so each request repeats everything.
 */
export function templatePreset(name: string, spec: ProgramSpec): ProgramPreset {
  return {
    name,
    command: [],
    flags: [],
    prompt: 'stdin',
    authority: () => ({ flags: [], uses: [] }),
    toolNames: {},
    output: spec.output === 'json' ? { kind: 'document', events: (document) => templateEvents(document) } : { kind: 'text' },
    passEnv: [],
    version: ['--version'],
    tried: [],
  };
}
