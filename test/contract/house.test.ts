import { houseAdapter } from '../../examples/adapter/house-adapter';
import { houseUnderTest } from '../../examples/adapter/house-harness';
import { houseService } from '../../examples/adapter/house-service';
import { describeAdapter } from './describe-adapter';

// The examples of docs/adapters.md.
describeAdapter('house', houseUnderTest(houseAdapter));
describeAdapter('house, as a service', houseUnderTest(houseService));
