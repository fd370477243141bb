// Wraps the suite inside the Node extension host: runs it, then posts to the host that it passed.
// An exit without that word means nothing, for the workbench reports 0 for an extension host that died, too.
const { pathToFileURL } = require("node:url");

exports.run = async () => {
  const { TEST_HOST_SUITE: file, TEST_HOST_CONTROL: control } = process.env;
  const suite = await import(pathToFileURL(require.resolve(file)).href);
  const ran = (suite.run ?? suite.default.run)();
  if (typeof ran?.then !== "function") throw new Error("The suite's run gives no promise.");
  await ran;
  await fetch(`${control}/passed`, { method: "POST" });
};
