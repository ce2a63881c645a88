import { describeAdapter } from './describe-adapter';
import { programUnderTest } from './harness/program';

// A program of one's own: what it does with tools nobody sees.
const abilities = ['names-model', 'overload', 'bytes', 'program'] as const;
describeAdapter('cli (a template)', programUnderTest({ setting: { output: 'json' }, abilities, byAnothersTransport: true }));
