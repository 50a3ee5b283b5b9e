// After an account is deleted, nothing stays in this browser either. Only the page that says so loads this.
import { local, session } from "./storage.js";

for (const store of [local, session]) store.forget("lectern:");
