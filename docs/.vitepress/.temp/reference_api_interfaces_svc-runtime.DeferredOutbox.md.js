import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: DeferredOutbox","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime.DeferredOutbox.md","filePath":"reference/api/interfaces/svc-runtime.DeferredOutbox.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime.DeferredOutbox.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-deferredoutbox" tabindex="-1">Interface: DeferredOutbox <a class="header-anchor" href="#interface-deferredoutbox" aria-label="Permalink to &quot;Interface: DeferredOutbox&quot;">​</a></h1><p>Queues envelopes that are sent after the commit they belong to.</p><h2 id="methods" tabindex="-1">Methods <a class="header-anchor" href="#methods" aria-label="Permalink to &quot;Methods&quot;">​</a></h2><h3 id="queue" tabindex="-1">queue() <a class="header-anchor" href="#queue" aria-label="Permalink to &quot;queue()&quot;">​</a></h3><blockquote><p><strong>queue</strong>(<code>destination</code>, <code>envelope</code>, <code>of?</code>): <code>void</code> | <code>Promise</code>&lt;<code>void</code>&gt;</p></blockquote><p><code>of</code> is the staged event that the envelope describes, while its position is not known yet.</p><h4 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h4><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>destination</code></td><td><code>string</code></td></tr><tr><td><code>envelope</code></td><td><a href="./svc-runtime.Envelope"><code>Envelope</code></a></td></tr><tr><td><code>of?</code></td><td><code>StagedEvent</code></td></tr></tbody></table><h4 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h4><p><code>void</code> | <code>Promise</code>&lt;<code>void</code>&gt;</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime.DeferredOutbox.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_DeferredOutbox = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_DeferredOutbox as default
};
