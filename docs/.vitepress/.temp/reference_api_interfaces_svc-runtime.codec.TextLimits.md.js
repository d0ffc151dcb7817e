import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Interface: TextLimits","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/interfaces/svc-runtime.codec.TextLimits.md","filePath":"reference/api/interfaces/svc-runtime.codec.TextLimits.md"}');
const _sfc_main = { name: "reference/api/interfaces/svc-runtime.codec.TextLimits.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="interface-textlimits" tabindex="-1">Interface: TextLimits <a class="header-anchor" href="#interface-textlimits" aria-label="Permalink to &quot;Interface: TextLimits&quot;">​</a></h1><h2 id="properties" tabindex="-1">Properties <a class="header-anchor" href="#properties" aria-label="Permalink to &quot;Properties&quot;">​</a></h2><h3 id="format" tabindex="-1">format? <a class="header-anchor" href="#format" aria-label="Permalink to &quot;format?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>format?</strong>: <code>&quot;date&quot;</code> | <code>&quot;date-time&quot;</code> | <code>&quot;email&quot;</code> | <code>&quot;hostname&quot;</code> | <code>&quot;ipv4&quot;</code> | <code>&quot;ipv6&quot;</code> | <code>&quot;json-pointer&quot;</code> | <code>&quot;time&quot;</code> | <code>&quot;uri&quot;</code> | <code>&quot;url&quot;</code> | <code>&quot;uuid&quot;</code></p></blockquote><hr><h3 id="maxlength" tabindex="-1">maxLength? <a class="header-anchor" href="#maxlength" aria-label="Permalink to &quot;maxLength?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>maxLength?</strong>: <code>number</code></p></blockquote><hr><h3 id="minlength" tabindex="-1">minLength? <a class="header-anchor" href="#minlength" aria-label="Permalink to &quot;minLength?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>minLength?</strong>: <code>number</code></p></blockquote><hr><h3 id="pattern" tabindex="-1">pattern? <a class="header-anchor" href="#pattern" aria-label="Permalink to &quot;pattern?&quot;">​</a></h3><blockquote><p><code>readonly</code> <code>optional</code> <strong>pattern?</strong>: <code>RegExp</code></p></blockquote></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/interfaces/svc-runtime.codec.TextLimits.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_TextLimits = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_TextLimits as default
};
