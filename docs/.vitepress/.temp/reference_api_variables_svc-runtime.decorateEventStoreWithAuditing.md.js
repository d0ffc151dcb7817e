import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Variable: decorateEventStoreWithAuditing","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/variables/svc-runtime.decorateEventStoreWithAuditing.md","filePath":"reference/api/variables/svc-runtime.decorateEventStoreWithAuditing.md"}');
const _sfc_main = { name: "reference/api/variables/svc-runtime.decorateEventStoreWithAuditing.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="variable-decorateeventstorewithauditing" tabindex="-1">Variable: decorateEventStoreWithAuditing <a class="header-anchor" href="#variable-decorateeventstorewithauditing" aria-label="Permalink to &quot;Variable: decorateEventStoreWithAuditing&quot;">​</a></h1><blockquote><p><code>const</code> <strong>decorateEventStoreWithAuditing</strong>: () =&gt; <a href="./../types/svc-runtime.Addition"><code>Addition</code></a></p></blockquote><p>Decorates the registered event store; a second call changes nothing.</p><h2 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h2><p><a href="./../types/svc-runtime.Addition"><code>Addition</code></a></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/variables/svc-runtime.decorateEventStoreWithAuditing.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_decorateEventStoreWithAuditing = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_decorateEventStoreWithAuditing as default
};
