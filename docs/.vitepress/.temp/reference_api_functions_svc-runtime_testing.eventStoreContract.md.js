import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Function: eventStoreContract()","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/functions/svc-runtime_testing.eventStoreContract.md","filePath":"reference/api/functions/svc-runtime_testing.eventStoreContract.md"}');
const _sfc_main = { name: "reference/api/functions/svc-runtime_testing.eventStoreContract.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="function-eventstorecontract" tabindex="-1">Function: eventStoreContract() <a class="header-anchor" href="#function-eventstorecontract" aria-label="Permalink to &quot;Function: eventStoreContract()&quot;">​</a></h1><blockquote><p><strong>eventStoreContract</strong>(<code>test</code>, <code>withStore</code>): <code>void</code></p></blockquote><p>The contract of every event store, whatever its storage; each rule gets a new, empty store.</p><h2 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h2><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>test</code></td><td><a href="./../types/svc-runtime_testing.RunnerTest"><code>RunnerTest</code></a></td></tr><tr><td><code>withStore</code></td><td><a href="./../types/svc-runtime_testing.WithSubject"><code>WithSubject</code></a>&lt;<code>UnitStore</code>&gt;</td></tr></tbody></table><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><code>void</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/functions/svc-runtime_testing.eventStoreContract.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_testing_eventStoreContract = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_testing_eventStoreContract as default
};
