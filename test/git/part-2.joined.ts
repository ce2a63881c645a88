import { joinFiles } from '../support/join-files';

joinFiles(__dirname, { nth: 2, of: 2 });
