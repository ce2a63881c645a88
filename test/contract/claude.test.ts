import { describeAdapter } from './describe-adapter';
import { IN_LINES, programUnderTest } from './harness/program';

const abilities = [...IN_LINES, 'names-model', 'usage-by-reply'] as const;
describeAdapter('cli (claude)', programUnderTest({ preset: 'claude', tools: { read_file: 'Read', run: 'Bash' }, abilities }));
