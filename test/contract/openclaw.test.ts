import { describeAdapter } from './describe-adapter';
import { programUnderTest } from './harness/program';

// It prints everything at its end.
const abilities = ['own-tools', 'names-model', 'overload', 'bytes', 'program'] as const;
describeAdapter('cli (openclaw)', programUnderTest({ preset: 'openclaw', tools: { read_file: 'read', run: 'exec' }, abilities }));
