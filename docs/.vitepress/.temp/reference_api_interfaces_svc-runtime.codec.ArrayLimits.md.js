import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: ArrayLimits","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime.codec.ArrayLimits.md","filePath":"reference/api/interfaces/svc-runtime.codec.ArrayLimits.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime.codec.ArrayLimits.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-arraylimits" tabindex="-1">Interface: ArrayLimits <a class="header-anchor" href="#interface-arraylimits" aria-label="Permalink to &quot;Interface: ArrayLimits&quot;">​</a></h1><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="maxitems" tabindex="-1">maxItems? <a class="header-anchor" href="#maxitems" aria-label="Permalink to &quot;maxItems?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>maxItems?</strong>: <code>number</code></p></blockquote><hr><h3 id="minitems" tabindex="-1">minItems? <a class="header-anchor" href="#minitems" aria-label="Permalink to &quot;minItems?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>minItems?</strong>: <code>number</code></p></blockquote></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime.codec.ArrayLimits.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_ArrayLimits = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_ArrayLimits as default
};
