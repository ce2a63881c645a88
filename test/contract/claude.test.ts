import { describeAdapter } from './describe-adapter';
import { programUnderTest } from './harness/program';

describeAdapter('cli (claude)', programUnderTest({ preset: 'claude', tools: { read_file: 'Read', run: 'Bash' } }));
