import { floods, missingFiles, testFloods } from './inbox-floods.js';

await testFloods([...floods, missingFiles(1_000)]);
