import { describeAdapter } from './describe-adapter';
import { programUnderTest } from './harness/program';

// A user's own program: nobody sees what it does with tools.
const abilities = ['names-model', 'overload', 'bytes', 'program'] as const;
describeAdapter('cli (a template)', programUnderTest({ setting: { output: 'json' }, abilities, byAnothersTransport: true }));
