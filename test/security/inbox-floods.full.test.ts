import { floods, missingFiles, testFloods } from './inbox-floods.js';

testFloods([...floods, missingFiles(1_000)]);
