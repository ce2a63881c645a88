import type { NamedOutputs } from './named-outputs';

/** A store that is no folder has no place where a person could open an output under its name: `thermidor show` prints it. */
export const unnamedOutputs: NamedOutputs = { layOut: async () => undefined, locate: async () => undefined };
