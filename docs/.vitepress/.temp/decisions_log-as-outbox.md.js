import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"The log is the outbox","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/log-as-outbox.md","filePath":"decisions/log-as-outbox.md"}');
const _sfc_main = { name: "decisions/log-as-outbox.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="the-log-is-the-outbox" tabindex="-1">The log is the outbox <a class="header-anchor" href="#the-log-is-the-outbox" aria-label="Permalink to &quot;The log is the outbox&quot;">​</a></h1><p>A message must be sent if, and only if, its event is stored. The usual way is an outbox table: one row per message, taken by workers with <code>FOR UPDATE SKIP LOCKED</code> and deleted.</p><p><strong>Chosen:</strong> no outbox rows. The relay is a cursor over the log itself: it reads on from its position, publishes, and advances the cursor by compare-and-set under a lease. One relay per store works at a time; another host acquires the lease when it ends.</p><table tabindex="0"><thead><tr><th></th><th>messages/s</th></tr></thead><tbody><tr><td>select one, delete one</td><td>2,300</td></tr><tr><td><code>SKIP LOCKED</code>, batches of 1,000, one worker / two</td><td>47,300 / 55,600</td></tr><tr><td><strong>cursor over the log</strong></td><td><strong>123,000</strong></td></tr></tbody></table><ul><li>Two <code>SKIP LOCKED</code> workers published 607 of 20,000 messages out of stream order. A cursor keeps the order.</li><li>With one long snapshot open, draining by deletes went from 2.7 to 21.6 ms per 500 rows: dead rows pile up. A cursor leaves none.</li><li>A row per message costs 10–16 % of append throughput.</li></ul><p>The log is readable as a queue because of <a href="./group-commit">the lock</a>: no position appears behind the cursor.</p><p>A message that cannot be sent is retried, then becomes a dead letter with its reason, and the cursor moves on. A crash between publish and advance sends again; receivers know a message by its store and position and take it once.</p><p><strong>Price:</strong> one relay per store. It is woken by one <code>NOTIFY</code> per flush (0.5 ms); <code>NOTIFY</code> in every transaction would halve append throughput.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/log-as-outbox.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const logAsOutbox = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  logAsOutbox as default
};
